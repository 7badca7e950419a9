"""A study's folder: claims are exclusive and expire, records survive torn writes."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gordium.store import FINISHED, Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "study")


def test_one_of_many_gets_a_claim(store: Store) -> None:
    with ThreadPoolExecutor(16) as threads:
        claims = list(threads.map(lambda _: store.claim("a"), range(64)))
    assert sum(claim is not None for claim in claims) == 1
    assert store.claimed() == {"a"}


def test_a_released_claim_can_be_taken_again(store: Store) -> None:
    first = store.claim("a")
    assert first is not None
    assert store.claim("b") is not None
    store.release(first)
    assert store.claimed() == {"b"}
    assert store.claim("a") is not None


def test_a_claim_expires_without_a_sign_of_life(store: Store) -> None:
    claim = store.claim("a")
    assert claim is not None
    claim.write_text(json.dumps({"host": "another machine", "pid": 1}))
    assert store.claim("a") is None
    long_ago = claim.stat().st_mtime - 2 * store.lease
    os.utime(claim, (long_ago, long_ago))
    assert store.claimed() == set()
    again = store.claim("a")
    assert again is not None
    assert again != claim
    assert store.claim("a") is None


def test_renewing_keeps_a_claim(store: Store) -> None:
    claim = store.claim("a")
    assert claim is not None
    long_ago = claim.stat().st_mtime - 2 * store.lease
    os.utime(claim, (long_ago, long_ago))
    store.renew([claim])
    assert store.claim("a") is None


def test_a_dead_process_of_this_machine_holds_nothing(store: Store) -> None:
    code = (
        "import sys; from pathlib import Path; from gordium.store import Store; "
        "assert Store(Path(sys.argv[1])).claim('a')"
    )
    subprocess.run([sys.executable, "-c", code, str(store.folder)], check=True)
    assert store.claim("a") is not None


def test_records_survive_a_torn_line_and_count_once(store: Store) -> None:
    store.record("a", {"x": 1})
    with (store.folder / FINISHED).open("a") as file:
        file.write('{"key": "b", "x"')  # killed here
    store.record("c", {"x": 3})
    store.record("a", {"x": 9})
    assert {key: record["x"] for key, record in store.finished().items()} == {"a": 1, "c": 3}


def test_failures_are_kept_until_forgotten(store: Store) -> None:
    store.fail("a", "a run", "it broke")
    assert store.failed()["a"]["error"] == "it broke"
    store.forget_failures()
    assert store.failed() == {}


def test_another_study_or_folder_is_refused(store: Store, tmp_path: Path) -> None:
    store.declare({"name": "one"})
    store.declare({"name": "one", "seeds": 2})
    assert store.declaration()["seeds"] == 2
    with pytest.raises(ValueError, match="holds the study 'one', not 'two'"):
        store.declare({"name": "two"})
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    with pytest.raises(ValueError, match="holds other files"):
        Store(tmp_path / "other").declare({"name": "one"})
    with pytest.raises(FileNotFoundError, match="is not a study"):
        Store(tmp_path / "none").declaration()
