"""A study at an address that speaks S3: moto's server on the loopback, and runners that are killed.

It needs moto[server] and s3fs, which `make test` does without; `.ci/remote` has them. Runners are
forked from this process, which has everything loaded; what is at the address is looked at past
fsspec, whose own thread does not survive a fork.
"""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.inline import inline
from typer.testing import CliRunner

from gordium.cli.main import app
from gordium.report.rows import write_rows
from gordium.report.study_rows import study_rows
from gordium.study import local_engine, remote
from gordium.study.address import Files
from gordium.study.read import read_study
from gordium.study.remote import open_store
from gordium.study.runner import run_study
from gordium.study.store import Store

pytest.importorskip("moto.server", reason="no S3: moto[server] is not installed")
pytest.importorskip("s3fs", reason="no S3: s3fs is not installed")
boto3 = pytest.importorskip("boto3")

BUCKET, LEASE = "bucket", 1.0
TABLES = """
name = "short"
metrics = ["mcc"]
seeds = 4
[settings]
steps = 20
architecture = "linear"
likelihood = "gaussian"
[data.square]
name = "synthetic-linear"
n = 200
[method.beta-vae]
"""


ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "somebody",
    "AWS_SECRET_ACCESS_KEY": "nothing",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_MAX_ATTEMPTS": "1",  # an outage is told of at once
    "NO_PROXY": "127.0.0.1",
}


@pytest.fixture(scope="module")
def s3() -> Iterator[Any]:
    """A server with a bucket, which the last test stops."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while server.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            break
        time.sleep(0.05)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        patch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
        client = boto3.client("s3")
        client.create_bucket(Bucket=BUCKET)
        client.stop = server.terminate
        yield client
    client.close()
    server.terminate()
    server.wait()


def keys(s3: Any, prefix: str) -> list[str]:
    found = s3.list_objects_v2(Bucket=BUCKET, Prefix=prefix)
    return [entry["Key"] for entry in found.get("Contents", [])]


class Machine:
    """A machine of its own, as far as its cache makes one: processes are forked to act there."""

    def __init__(self, folder: Path) -> None:
        self.cache = folder / "deep" / "within" / "cache"
        self.said = folder / "said.txt"
        folder.mkdir()

    def start(self, act: Callable[[], Any], *, writes: int = -1) -> int:
        """The id of a process that acts; it is killed when it has written so often."""
        process = os.fork()
        if process:
            return process
        sys.stdout = sys.stderr = self.said.open("w")
        os.environ["GORDIUM_CACHE"] = str(self.cache)
        local_engine.start_workers = lambda workers: nullcontext(inline)
        left = [writes]

        def counted(write: Callable[..., None]) -> Callable[..., None]:
            def count(*given: Any) -> None:
                if not left[0]:
                    os.kill(os.getpid(), signal.SIGKILL)
                left[0] -= not str(given[1]).startswith("owner/")  # signs of life do not count
                write(*given)

            return count

        Files.write, remote.write_bytes = counted(Files.write), counted(remote.write_bytes)
        code = 1
        try:
            act()
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
        except BaseException as error:
            print(repr(error))
        finally:
            sys.stdout.flush()
            os._exit(code)

    def end(self, process: int) -> int:
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])

    def act(self, act: Callable[[], Any], *, writes: int = -1) -> int:
        return self.end(self.start(act, writes=writes))

    @property
    def sentence(self) -> str:
        """What was said last, in one line; a traceback is no sentence."""
        text = " ".join(self.said.read_text().split())
        assert "Traceback" not in text
        return text


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "short.toml"
    path.write_text(TABLES)
    return path


def run(file: Path, address: str, lease: float = LEASE) -> Callable[[], None]:
    words = ["study", "run", str(file), "--out", address, "--lease", str(lease)]
    return lambda: app(words)


def test_runners_that_are_killed_at_s3_end_in_the_rows_of_a_folder(
    s3: Any, file: Path, tmp_path: Path
) -> None:
    store = Store(tmp_path / "calm")
    run_study(read_study(file), store, engine=inline)
    write_rows(tmp_path / "calm.csv", study_rows(store))
    address = f"s3://{BUCKET}/kills"
    machines = [Machine(tmp_path / name) for name in "abc"]
    for number, writes in enumerate((1, 5, 9, 14)):  # at a plan, in uploads, before a record
        machine = machines[number % 2]
        assert machine.act(run(file, address), writes=writes) == -signal.SIGKILL
        time.sleep(LEASE)
    assert machines[2].act(run(file, address, lease=60)) == 1
    owner = re.search(
        rf"{address} is worked on by a runner on .+, process \d+", machines[2].sentence
    )
    assert owner
    assert 0 < len(keys(s3, "kills/records/")) < 4
    assert machines[2].act(run(file, address)) == 0, machines[2].sentence
    rows = tmp_path / "rows.csv"
    assert machines[0].act(lambda: app(["study", "rows", address, "--out", str(rows)])) == 0
    assert rows.read_text() == (tmp_path / "calm.csv").read_text()
    _fetch_under_kills(s3, address, Machine(tmp_path / "d"))


def _fetch_under_kills(s3: Any, address: str, machine: Machine) -> None:
    """On a machine that has nothing of it, a run is there whole or not at all."""
    path = keys(s3, "kills/runs/")[0]
    key, folder = path.split("/")[2:4]
    whole = {name.rpartition("/")[2] for name in keys(s3, f"kills/runs/{key}/{folder}/")}
    for writes in (0, 2, len(whole)):
        code = machine.act(lambda: open_store(address).run_folder(key), writes=writes)
        found = list(machine.cache.glob(f"studies/*/runs/{key}/*"))
        assert code == (-signal.SIGKILL if writes < len(whole) else 0)
        assert {path.name for path in found} == (set() if code else whole)


HOSTILE = {
    "records/../../../../evil.json": "../../../../evil",
    "records/../../../../evil/1.json": "../../../../evil",
    "records//tmp/evil/1.json": "/tmp/evil",
    "records/evil.pth/1.pth": "evil.pth/1.pth",
    "failed/../../../../evil/1.json": "../../../../evil",
    "plan/../../../../evil.pth": "plan/../../../../evil.pth",
}


def test_hostile_keys_of_a_bucket_are_refused_by_name(s3: Any, file: Path, tmp_path: Path) -> None:
    address, machine = f"s3://{BUCKET}/hostile", Machine(tmp_path / "a")
    declared = read_study(file).declaration

    def look() -> None:
        open_store(address).declare(declared)
        for key, shown in HOSTILE.items():
            s3.put_object(Bucket=BUCKET, Key=f"hostile/{key}", Body=b"{}")
            for command in ("status", "rows"):
                done = CliRunner().invoke(app, ["study", command, address])
                text = " ".join(done.output.split())
                assert (done.exit_code, type(done.exception)) == (1, SystemExit)
                assert "must be plain" in text
                assert f"got {shown!r}" in text
            s3.delete_object(Bucket=BUCKET, Key=f"hostile/{key}")

    def written() -> set[Path]:
        return {path for path in tmp_path.rglob("*") if path.is_file()}

    assert machine.act(look) == 0, machine.sentence
    inside = {path for path in machine.cache.rglob("*") if path.is_file()}
    assert written() - inside == {file, machine.said}
    assert not [path for path in inside if "evil" in str(path)]
    assert not Path("/tmp/evil").exists()


def test_of_many_machines_that_come_at_once_one_gets_an_address_at_s3(
    s3: Any, tmp_path: Path
) -> None:
    def come() -> None:
        store = open_store(f"s3://{BUCKET}/race")
        store.declare({"name": "a"})
        time.sleep(1)  # moto looks first, then writes: two may have been told that they are first
        store.plan([])
        os._exit(0)  # it is still the owner

    machines = [Machine(tmp_path / str(k)) for k in range(6)]
    processes = [machine.start(come) for machine in machines]
    ends = [machine.end(process) for machine, process in zip(machines, processes, strict=True)]
    assert sorted(ends) == [0, 1, 1, 1, 1, 1]
    for machine, end in zip(machines, ends, strict=True):
        if end:
            assert re.search("has one runner|is worked on by|was taken over", machine.sentence)


def test_an_outage_of_s3_is_said_in_a_sentence(s3: Any, file: Path, tmp_path: Path) -> None:
    address, machine = f"s3://{BUCKET}/outage", Machine(tmp_path / "a")
    process = machine.start(run(file, address))
    while not keys(s3, "outage/records/"):
        time.sleep(0.01)
    s3.stop()
    assert machine.end(process) == 1
    assert re.search(rf"error: {address} could not be reached: \w+: ", machine.sentence)
    for command in ("status", "rows"):
        assert machine.act(lambda command=command: app(["study", command, address])) == 1
        assert machine.sentence.startswith(f"error: {address} could not be reached: ")
