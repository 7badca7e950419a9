"""Results at an address: worked on in a scratch folder, copied whole, found again from there."""

import os
import re
import shutil
import tempfile
import time
import tomllib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from tests.inline import inline
from typer.testing import CliRunner

from gordium.cli.main import app
from gordium.files import cache_folder, write_bytes
from gordium.report.rows import write_rows
from gordium.report.study_rows import study_rows
from gordium.study import remote
from gordium.study.address import Files
from gordium.study.address_owner import newest_owner
from gordium.study.engine import Job, Outcome
from gordium.study.read import study_of
from gordium.study.remote import RemoteStore, fetch_file, open_store
from gordium.study.runner import run_study
from gordium.study.store import Claim, Store

fsspec = pytest.importorskip("fsspec")
ROOT = Path(__file__).parents[2]
TINY = tomllib.loads((ROOT / "studies" / "tiny.toml").read_text())


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GORDIUM_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def address():
    """A place in memory, which the worker processes of the local engine would not see."""
    yield "memory://bucket/study"
    fsspec.filesystem("memory").store.clear()


def elsewhere(jobs: Sequence[Job], **options: Any) -> list[Outcome]:
    """An engine whose workers find an empty scratch folder, each on a machine of its own."""

    def apart(job: Job) -> Job:
        def alone(*arguments: Any, report: Any) -> Any:
            with (
                tempfile.TemporaryDirectory() as own,
                mock.patch.dict(os.environ, GORDIUM_CACHE=own),
            ):
                return job.function(*arguments, report=report)

        return Job(job.label, alone, job.arguments, job.key)

    return inline([apart(job) for job in jobs], **options)


def tables() -> dict[str, Any]:
    """Search, change, fresh runs on three variants, and one run that fails."""
    settings = {**TINY["settings"], "steps": 5}
    methods = {"beta-vae": {"beta": 0.01}}
    return {**TINY, "seeds": 1, "settings": settings, "method": methods, "metrics": ["mig"]}


def rows_text(store: Store, path: Path) -> str:
    write_rows(path, study_rows(store))
    return path.read_text()


@pytest.mark.parametrize("engine", [inline, elsewhere])
def test_rows_at_an_address_are_those_of_a_folder(address: str, tmp_path: Path, engine) -> None:
    study = study_of(tables())
    folder, remote = Store(tmp_path / "folder"), open_store(address)
    run_study(study, folder, engine=inline)
    ended = run_study(study, remote, engine=engine)
    assert (ended.finished, ended.failed, ended.waiting) == (3 + 1 + 3, {}, 0)
    assert rows_text(remote, tmp_path / "a.csv") == rows_text(folder, tmp_path / "b.csv")


def test_what_is_at_the_address_is_not_done_again(address: str, tmp_path: Path) -> None:
    study = study_of(tables())
    ended = run_study(study, open_store(address), engine=inline)
    shutil.rmtree(tmp_path / "cache")  # another machine

    def idle(jobs: Sequence[Job], **options: Any) -> list[Outcome]:
        raise AssertionError(f"{[job.label for job in jobs]} were done already")

    assert run_study(study, open_store(address), engine=idle) == ended
    files = fsspec.filesystem("memory").find("/bucket/study/runs")
    names = {"config.json", "history.jsonl", "model.safetensors"}
    names |= {"representation.npz", "scores.json"}
    assert {Path(name).name for name in files} == names
    assert len(files) == 6 * len(names)


def test_failures_are_kept_at_the_address_until_they_are_forgotten(address: str) -> None:
    given = {**tables(), "data": {"square": {"name": "synthetic-linear", "n": 50}}}
    given["method"] = {"slow-vae": {}}  # needs pairs, and this data set has none
    study = study_of(given)
    [failure] = run_study(study, open_store(address), engine=inline).failed.values()
    assert "not a grid" in failure["error"]
    shutil.rmtree(cache_folder())
    assert list(open_store(address).read_failed().values()) == [failure]
    open_store(address).forget_failures()
    assert open_store(address).read_failed() == {}


def made_run(store: Store, key: str = "key", **files: bytes) -> Claim:
    """A run that was made and not delivered yet."""
    claim = store.claim(key)
    assert claim is not None
    for name, content in (files or {"config.json": b"{}", "model.safetensors": b"0"}).items():
        write_bytes(store.work_folder(claim) / name, content)
    return claim


def recorded(store: Store, key: str = "key", **files: bytes) -> None:
    claim = made_run(store, key, **files)
    assert store.finish(claim, "runs", {"scores": {}, **store.deliver(claim, "runs")})


def test_what_was_delivered_counts_when_its_record_is_there(address: str) -> None:
    """A copy that was cut short has no record."""
    store = open_store(address)
    store.declare({"name": "a"})
    claim = made_run(store)
    record = {"scores": {}, **store.deliver(claim, "runs")}
    assert not store.run_folder("key").exists()
    assert not store.is_finished("key")
    assert store.finish(claim, "runs", record)
    shutil.rmtree(cache_folder())
    assert (store.run_folder("key") / "config.json").read_text() == "{}"


def test_what_the_version_before_left_at_an_address_is_refused(address: str) -> None:
    memory = fsspec.filesystem("memory")
    memory.pipe("/bucket/study/study.json", b'{"name": "a"}')
    with pytest.raises(ValueError, match="holds other files and no study; choose a new one"):
        open_store(address).declare({"name": "a"})


def test_what_no_runner_writes_at_an_address_is_named(address: str) -> None:
    store = open_store(address)
    store.declare({"name": "a"})
    fsspec.filesystem("memory").pipe("/bucket/study/records/key.json", b"{}")
    with pytest.raises(ValueError, match=r"holds 'key\.json', which no runner writes"):
        store.read_finished()


def test_a_runner_that_wakes_up_changes_nothing_at_an_address(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is suspended between looking whether it is the owner and each of its writes."""
    first = open_store(address)
    first.declare({"name": "a"})
    claim = made_run(first, **{"model.safetensors": b"old"})
    record = {"scores": {"mig": 0.1}, **first.deliver(claim, "runs")}
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 61)
    second = RemoteStore(cache_folder() / "elsewhere", address=address)
    second.declare({"name": "a"})
    second.plan([{"key": "key"}, {"key": "other"}])
    recorded(second, **{"model.safetensors": b"new"})
    at_the_end = {name: bytes(file.getvalue()) for name, file in stored(address)}

    monkeypatch.setattr(first, "_is_owner", lambda: True)
    first.deliver(claim, "runs")
    first.plan([{"key": "key"}])
    first.fail(claim, "label", "woke up")
    assert first.finish(claim, "runs", record)
    left = dict(stored(address))
    assert {name: bytes(left[name].getvalue()) for name in at_the_end} == at_the_end
    assert second.read_finished()["key"]["scores"] == {}
    assert second.read_plan() == [{"key": "key"}, {"key": "other"}]
    assert second.read_failed() == {}
    shutil.rmtree(second.folder / "runs")
    for store in (first, second):  # the first one's own copy is not what the record names
        assert (store.run_folder("key") / "model.safetensors").read_bytes() == b"new"


def stored(address: str) -> list[tuple[str, Any]]:
    return list(fsspec.filesystem("memory").store.items())


def test_a_runner_that_lost_its_address_stops(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = open_store(address), open_store(address)
    first.declare({"name": "a"})
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 61)
    second.declare({"name": "a"})
    with pytest.raises(ValueError, match=r"was taken over by a runner on .*, process \d+"):
        first.plan([])


def test_what_is_recorded_stays_in_the_plan_on_another_machine(address: str) -> None:
    store = open_store(address)
    store.declare({"name": "a"})
    store.plan([{"key": "a"}, {"key": "b"}, {"key": "c"}])
    recorded(store, "b")
    store.close()
    other = RemoteStore(cache_folder() / "elsewhere", address=address)
    other.declare({"name": "a"})
    other.plan([{"key": "c"}])
    assert other.read_plan() == [{"key": "c"}, {"key": "b"}]


def test_what_was_replaced_or_left_by_a_kill_is_cleared(address: str) -> None:
    store = open_store(address)
    store.declare({"name": "a"})
    cut = made_run(store)
    store.deliver(cut, "runs")  # and killed before its record
    store.release(cut)
    recorded(store)
    recorded(store)  # scored again
    [folder] = {name.split("/")[5] for name, _ in stored(address) if "/runs/key/" in name}
    assert folder == store.read_finished()["key"]["delivered"]["folder"]


FLIPPED = ["study/1.json", "plan/1.json", "records/key/1.json", "failed/bad/1.json", "model"]


@pytest.mark.parametrize("name", FLIPPED)
def test_each_flipped_bit_at_an_address_is_noticed(address: str, name: str) -> None:
    store = open_store(address)
    store.declare({"name": "a"})
    store.plan([{"key": "key"}])
    recorded(store)
    claim = store.claim("bad")
    assert claim is not None
    store.fail(claim, "label", "why")
    shutil.rmtree(store.folder / "runs")
    [(path, file)] = [(path, file) for path, file in stored(address) if name in path]
    whole, memory = bytes(file.getvalue()), fsspec.filesystem("memory")

    def read() -> None:
        shutil.rmtree(store.folder / "runs", ignore_errors=True)
        store.declaration(), store.read_plan(), store.read_finished(), store.read_failed()
        store.run_folder("key")

    read()
    for bit in range(0, 8 * len(whole), 5):
        content = bytearray(whole)
        content[bit // 8] ^= 1 << bit % 8
        memory.pipe(path, bytes(content))
        with pytest.raises(ValueError, match=rf"{re.escape(path[14:])} is damaged"):
            read()


@pytest.mark.parametrize("when", ["deliver", "fetch"])
def test_a_kill_at_any_write_leaves_a_run_whole_or_not_there(tmp_path: Path, when: str) -> None:
    address = f"file://{tmp_path}/bucket"
    whole = {"config.json": b"{}", "history.jsonl": b"1", "model.safetensors": b"0"}

    def deliver() -> None:
        store = open_store(address, lease=0)
        store.declare({"name": "a"})
        recorded(store, **whole)

    def fetch() -> None:
        open_store(address).run_folder("key")

    if when == "fetch":
        deliver()
    ends = set()
    for writes in range(20):
        shutil.rmtree(cache_folder(), ignore_errors=True)
        if when == "deliver":
            shutil.rmtree(tmp_path / "bucket", ignore_errors=True)
        ends.add(killed_after(writes, deliver if when == "deliver" else fetch))
        place = cache_folder() / "studies"
        for copy in place.glob("*/runs/key"):
            assert {path.name: path.read_bytes() for path in copy.iterdir()} == whole
        store = open_store(address)
        if store.is_finished("key"):
            found = {path.name: path.read_bytes() for path in store.run_folder("key").iterdir()}
            assert found == whole
    assert ends == {-9, 0}  # killed at each write in turn, until there were no more


def killed_after(writes: int, act: Callable[[], None]) -> int:
    """Act in a process of its own that is killed at a write; its exit code."""
    child = os.fork()
    if not child:
        left = [writes]

        def count(write: Callable[..., None]) -> Callable[..., None]:
            def counted(*given: Any) -> None:
                if not left[0]:
                    os.kill(os.getpid(), 9)
                left[0] -= 1
                write(*given)

            return counted

        remote.write_bytes = count(remote.write_bytes)
        Files.write = count(Files.write)
        act()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_an_address_has_one_runner(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = open_store(address), open_store(address)
    first.declare({"name": "a"})
    first.declare({"name": "a"})
    with pytest.raises(ValueError, match=r"is worked on by a runner on .*, seen \d+ s ago"):
        second.declare({"name": "a"})
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 61)
    second.declare({"name": "a"})
    # The first wakes up: it owns nothing any more.
    claim = first.claim("key")
    assert claim is not None
    assert not first.finish(claim, "runs", {"scores": {}})
    assert second.read_finished() == {}
    with pytest.raises(ValueError, match="is worked on by a runner"):
        first.declare({"name": "a"})


def test_of_many_that_come_at_once_one_owns_an_address(address: str) -> None:
    def comes(_: int) -> bool:
        try:
            stores[_].declare({"name": "a"})
        except ValueError:
            return False
        return True

    stores = [
        RemoteStore(cache_folder() / str(k), address=address) for k in range(8)
    ]  # each on a machine of its own
    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(comes, range(8))) == 1


@pytest.mark.parametrize("name", ["records/../../../escaped.json", "records/..%2fx/../y.json"])
def test_names_at_an_address_do_not_become_paths(address: str, tmp_path: Path, name: str) -> None:
    store = open_store(address)
    store.declare({"name": "a"})
    fsspec.filesystem("memory").store[f"/bucket/study/{name}"] = fsspec.filesystem("memory").store[
        "/bucket/study/study/1.json"
    ]
    with pytest.raises(ValueError, match="must be plain"):
        store.read_finished()
    assert not list(tmp_path.rglob("escaped*"))


HOSTILE = ["../../../evil.pth", "/tmp/evil.pth", "a/../../evil.pth", ".evil.pth"]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_in_a_run_at_an_address_keeps_to_its_folder(
    address: str, tmp_path: Path, name: str
) -> None:
    store = open_store(address)
    store.declare({"name": "a"})
    claim = made_run(store)
    record = store.deliver(claim, "runs")
    record["delivered"]["files"][name] = "0"
    store.finish(claim, "runs", record)
    with pytest.raises(ValueError, match=rf"must be plain.*{re.escape(name)}"):
        store.run_folder("key")
    assert not list(tmp_path.rglob("*evil*"))


def test_files_that_no_record_names_are_not_looked_at(address: str, tmp_path: Path) -> None:
    store = open_store(address)
    store.declare({"name": "a"})
    recorded(store)
    memory = fsspec.filesystem("memory")
    folder = store.read_finished()["key"]["delivered"]["folder"]
    memory.store[f"/bucket/study/runs/key/{folder}/../evil.pth"] = memory.store[
        f"/bucket/study/runs/key/{folder}/config.json"
    ]
    shutil.rmtree(cache_folder())
    found = store.run_folder("key")
    assert {path.name for path in found.iterdir()} == {"config.json", "model.safetensors"}
    assert not list(tmp_path.rglob("evil*"))


def test_a_file_that_is_gone_from_an_address_is_named(address: str) -> None:
    store = open_store(address)
    store.declare({"name": "a"})
    recorded(store)
    [gone] = [name for name, _ in stored(address) if name.endswith("model.safetensors")]
    fsspec.filesystem("memory").rm_file(gone)
    shutil.rmtree(cache_folder())
    with pytest.raises(ValueError, match=r"model\.safetensors is not there\. Delete .*records/key"):
        store.run_folder("key")
    assert not (store.folder / "runs" / "key").exists()


def test_a_damaged_record_is_an_error_and_not_a_run_less(address: str) -> None:
    store = open_store(address)
    store.declare({"name": "a"})
    for name in ("key/1.json", "key/2.json"):
        fsspec.filesystem("memory").pipe(f"/bucket/study/records/{name}", b'{"scores": {"mi')
        with pytest.raises(ValueError, match=rf"records/{name} is damaged"):
            store.read_finished()


@pytest.mark.parametrize("content", [b"", b"7", b'{"time": "late"}', b"[" * 10**5])
def test_an_owner_that_cannot_be_read_does_not_block_for_ever(address: str, content: bytes) -> None:
    fsspec.filesystem("memory").pipe("/bucket/study/owner/3", content)
    fsspec.filesystem("memory").pipe("/bucket/study/owner/x" + "9" * 5000, content)
    store = open_store(address)
    store.declare({"name": "a"})
    assert newest_owner(Files(address)) == 4


def test_another_study_and_other_files_are_refused(address: str) -> None:
    owner = open_store(address)
    owner.declare({"name": "a"})
    with pytest.raises(ValueError, match="holds the study 'a', not 'b'"):
        open_store(address).declare({"name": "b"})
    fsspec.filesystem("memory").pipe("/bucket/mine/letter.txt", b"dear")
    with pytest.raises(ValueError, match="holds other files and no study"):
        open_store("memory://bucket/mine").declare({"name": "a"})
    with pytest.raises(FileNotFoundError, match=r"memory://none is not a study"):
        open_store("memory://none").declaration()


def test_an_unknown_address_is_named() -> None:
    store = open_store("moon://crater")
    assert isinstance(store, RemoteStore)
    with pytest.raises(ValueError, match="moon"):
        store.declaration()


def test_files_at_addresses_are_fetched_apart_by_their_names(tmp_path: Path) -> None:
    """Two tables of rows are called rows.csv more often than not."""
    for place in "ab":
        fsspec.filesystem("memory").pipe(f"/bucket/{place}/rows.csv", place.encode())
    first, second = (fetch_file(f"memory://bucket/{place}/rows.csv") for place in "ab")
    assert (first.read_text(), second.read_text()) == ("a", "b")
    assert fetch_file("results/rows.csv") == Path("results/rows.csv")


def test_the_commands_take_an_address(tmp_path: Path) -> None:
    """Worker processes, and fsspec's own view of this disk."""
    file = tmp_path / "short.toml"
    file.write_text(
        'name = "short"\nmetrics = ["mcc"]\n'
        '[settings]\nsteps = 5\narchitecture = "linear"\nlikelihood = "gaussian"\n'
        '[data.square]\nname = "synthetic-linear"\nn = 200\n[method.beta-vae]\n'
    )
    address = f"file://{tmp_path}/bucket"

    def gordium(*words: str) -> str:
        done = CliRunner().invoke(app, ["study", *words])
        assert done.exit_code == 0, done.output
        return done.output.replace("\n", "")

    gordium("run", str(file), "--out", address, "--workers", "1")
    assert f"wrote 5 rows to {address}/rows.csv" in gordium("rows", address)
    again = ("--out", f"file://{tmp_path}/other", "--rows", f"{address}/rows.csv")
    gordium("run", str(file), *again)
    assert (tmp_path / "bucket" / "rows.csv").exists()
    assert not (tmp_path / "other" / "runs").exists()
