"""Results at an address: worked on in a scratch folder, copied whole, found again from there."""

import os
import shutil
import tempfile
import time
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from typer.testing import CliRunner

from gordium.cli.main import app
from gordium.files import cache_folder
from gordium.report.rows import write_rows
from gordium.report.study_rows import study_rows
from gordium.study.local import Job, Outcome
from gordium.study.read import study_of
from gordium.study.remote import RemoteStore, fetched, open_store
from gordium.study.runner import run_study
from gordium.study.store import Store
from gordium.testing.inline import inline

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
    assert "no grid" in failure["error"]
    shutil.rmtree(cache_folder())
    assert list(open_store(address).failed().values()) == [failure]
    open_store(address).forget_failures()
    assert open_store(address).failed() == {}


def test_a_folder_without_its_record_does_not_count(address: str, tmp_path: Path) -> None:
    """A copy that was cut short has no record yet."""
    store = open_store(address)
    store.declare({"name": "a"})
    files = fsspec.filesystem("memory")
    files.pipe("/bucket/study/runs/key/config.json", b"{}")
    assert not store.run_folder("key").exists()
    claim = store.claim("key")
    assert claim is not None
    assert store.finish(claim, "runs", {"scores": {}})
    assert (store.run_folder("key") / "config.json").read_text() == "{}"


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
    assert second.finished() == {}
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
        "/bucket/study/study.json"
    ]
    with pytest.raises(ValueError, match="must be plain"):
        store.finished()
    assert not list(tmp_path.rglob("escaped*"))


def test_a_file_in_a_run_at_an_address_keeps_to_its_folder(address: str, tmp_path: Path) -> None:
    store = open_store(address)
    store.declare({"name": "a"})
    memory = fsspec.filesystem("memory")
    memory.pipe("/bucket/study/records/key.json", b"{}")
    memory.store["/bucket/study/runs/key/../../../evil.pth"] = memory.store[
        "/bucket/study/records/key.json"
    ]
    with pytest.raises(ValueError, match=r"must be plain.*evil\.pth"):
        store.run_folder("key")
    assert not list(tmp_path.rglob("evil*"))


def test_a_damaged_record_is_an_error_and_not_a_run_less(address: str) -> None:
    store = open_store(address)
    store.declare({"name": "a"})
    fsspec.filesystem("memory").pipe("/bucket/study/records/key.json", b'{"scores": {"mi')
    with pytest.raises(ValueError, match=r"records/key\.json is damaged"):
        store.finished()


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


def test_a_file_at_an_address_is_fetched() -> None:
    fsspec.filesystem("memory").pipe("/bucket/rows.csv", b"a,b\n")
    assert fetched("memory://bucket/rows.csv").read_text() == "a,b\n"
    assert fetched("results/rows.csv") == Path("results/rows.csv")


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
