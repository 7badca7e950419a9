"""A study's store: claims are exclusive, expire and are fenced; what is recorded stays."""

import os
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gordium.study import database
from gordium.study.store import RUNS, STUDY, Claim, Store

CLAIM = (
    "import sys; from pathlib import Path; from gordium.study.store import Store; "
    "assert Store(Path(sys.argv[1])).claim('a')"
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "study")


def taken(store: Store, key: str) -> Claim:
    claim = store.claim(key)
    assert claim is not None
    return claim


def made(store: Store, key: str) -> Claim:
    claim = taken(store, key)
    store.work_folder(claim).mkdir(parents=True)
    return claim


def test_one_of_many_gets_a_claim(store: Store) -> None:
    stores = [Store(store.folder) for _ in range(16)]
    with ThreadPoolExecutor(16) as threads:
        claims = list(threads.map(lambda k: stores[k % 16].claim("a"), range(64)))
    assert sum(claim is not None for claim in claims) == 1
    assert store.list_claimed() == {"a"}


def test_a_released_claim_can_be_taken_again(store: Store) -> None:
    first = taken(store, "a")
    taken(store, "b")
    store.release(first)
    assert store.list_claimed() == {"b"}
    assert taken(store, "a").generation == first.generation + 1


def test_a_claim_expires_without_a_sign_of_life(store: Store, monkeypatch) -> None:
    first = taken(store, "a")
    assert Store(store.folder).claim("a") is None
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + store.lease + 1)
    assert store.list_claimed() == set()
    other = Store(store.folder)
    second = taken(other, "a")
    assert second.generation == first.generation + 1
    assert store.claim("a") is None


def test_a_time_in_the_future_blocks_nobody(store: Store, monkeypatch) -> None:
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 365 * 86400)
    taken(store, "a")
    monkeypatch.setattr(time, "time", lambda: now)
    assert Store(store.folder).claim("a") is not None


def test_renewing_keeps_a_claim(store: Store, monkeypatch) -> None:
    claim = taken(store, "a")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 0.9 * store.lease)
    store.renew([claim])
    monkeypatch.setattr(time, "time", lambda: now + 1.8 * store.lease)
    assert Store(store.folder).claim("a") is None


def test_a_process_that_has_ended_holds_nothing(store: Store) -> None:
    subprocess.run([sys.executable, "-c", CLAIM, str(store.folder)], check=True)
    assert store.claim("a") is not None


def test_process_ids_decide_nothing(store: Store, monkeypatch) -> None:
    """In another container the holder's number is nobody's, and the claim is still the holder's."""
    taken(store, "a")

    def unknown(pid: int, signal: int) -> None:
        raise ProcessLookupError

    monkeypatch.setattr(os, "kill", unknown)
    assert Store(store.folder).claim("a") is None


def asleep(store: Store, monkeypatch) -> tuple[Claim, Store, Claim]:
    """A holder that made something and slept past its lease, and who took over."""
    old = taken(store, "a")
    made = store.work_folder(old)
    made.mkdir(parents=True)
    (made / "checkpoint.safetensors").write_text("half")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 2 * store.lease)
    other = Store(store.folder)
    return old, other, taken(other, "a")


def test_who_wakes_up_can_change_nothing(store: Store, monkeypatch) -> None:
    old, other, new = asleep(store, monkeypatch)
    made = other.work_folder(new)
    (made / "model.safetensors").write_text("whole")
    assert other.finish(new, RUNS, {"scores": {"mig": 0.5}})
    # Now the sleeper goes on: it writes where it was, records, fails, renews and releases.
    (store.work_folder(old)).mkdir()
    (store.work_folder(old) / "model.safetensors").write_text("late")
    assert not store.finish(old, RUNS, {"scores": {"mig": 0.9}})
    assert not store.fail(old, "a run", "late")
    store.renew([old])
    store.release(old)
    assert (store.run_folder("a") / "model.safetensors").read_text() == "whole"
    assert store.read_finished() == {"a": {"key": "a", "scores": {"mig": 0.5}}}
    assert store.read_failed() == {}


def test_releasing_an_old_claim_leaves_the_new_one(store: Store, monkeypatch) -> None:
    old, other, _ = asleep(store, monkeypatch)
    store.release(old)
    assert other.list_claimed() == {"a"}
    assert store.claim("a") is None


def test_what_was_made_so_far_is_taken_over(store: Store, monkeypatch) -> None:
    old, other, new = asleep(store, monkeypatch)
    assert (other.work_folder(new) / "checkpoint.safetensors").read_text() == "half"
    assert not store.work_folder(old).exists()


def test_of_a_finished_run_only_scores_and_representation_change(store: Store) -> None:
    for content in ("first", "second"):
        claim = taken(store, "a")
        store.work_folder(claim).mkdir(parents=True)
        for name in ("model.safetensors", "history.jsonl", "config.json", "scores.json"):
            (store.work_folder(claim) / name).write_text(content)
        assert store.finish(claim, RUNS, {"scores": {}})
    found = {path.name: path.read_text() for path in store.run_folder("a").iterdir()}
    assert found.pop("scores.json") == "second"
    assert set(found.values()) == {"first"}
    assert not store.work_folder(claim).exists()


def test_what_is_recorded_stays_in_the_plan(store: Store) -> None:
    store.plan([{"key": "a", "kind": "run"}, {"key": "b", "kind": "run"}])
    assert store.finish(made(store, "a"), RUNS, {"scores": {}})
    store.plan([{"key": "c", "kind": "run"}])
    assert [node["key"] for node in store.read_plan()] == ["c", "a"]
    assert store.list_planned() == {"a", "c"}


def test_failures_are_kept_until_forgotten(store: Store) -> None:
    assert store.fail(taken(store, "a"), "a run", "it broke")
    assert store.read_failed()["a"]["error"] == "it broke"
    store.forget_failures()
    assert store.read_failed() == {}


@pytest.mark.parametrize("key", ["../a", "a/b", "", ".hidden", "-x", "a\n", "a" * 200])
def test_a_key_that_is_no_plain_name_is_refused(store: Store, key: str) -> None:
    with pytest.raises(ValueError, match="must be plain"):
        store.run_folder(key)
    with pytest.raises(ValueError, match="must be plain"):
        store.claim(key)


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
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    "kind",
    [
        *("nfs4", "smb3", "9p", "virtiofs", "wekafs", "fuse.sshfs", "fuse.glusterfs"),
        *("fuse.ceph-fuse", "fuse.juicefs", "fuse.s3fs", "fuse.rclone", "fuse.gcsfuse"),
    ],
)
def test_folders_that_machines_share_are_refused(kind: str, store: Store, monkeypatch) -> None:
    monkeypatch.setattr(database, "name_file_system", lambda folder: kind)
    with pytest.raises(ValueError, match=rf"cannot hold a study: .*kind {kind}.*s3://bucket/study"):
        store.declare({"name": "one"})


@pytest.mark.parametrize("kind", ["ext4", "xfs", "btrfs", "tmpfs", "overlay", "fuse.fuseblk", ""])
def test_disks_of_this_machine_are_not(kind: str, store: Store, monkeypatch) -> None:
    monkeypatch.setattr(database, "name_file_system", lambda folder: kind)
    store.declare({"name": "one"})


def test_a_damaged_store_is_named(store: Store) -> None:
    store.folder.mkdir()
    (store.folder / "study.sqlite").write_bytes(b"no database" * 1000)
    with pytest.raises(ValueError, match=r"study\.sqlite is damaged.*Move it away"):
        store.read_finished()


def test_a_store_of_a_later_version_is_refused(store: Store) -> None:
    store.declare({"name": "one"})
    store.close()
    with sqlite3.connect(store.folder / "study.sqlite") as later:
        later.execute("PRAGMA user_version = 99")
    later.close()
    with pytest.raises(ValueError, match="was made by a later version"):
        Store(store.folder).declaration()


def test_a_study_of_version_0_1_is_refused_with_what_to_do(store: Store) -> None:
    finished = store.folder / "runs" / "a"
    finished.mkdir(parents=True)
    (finished / "model.safetensors").touch()
    (store.folder / "study.json").write_text('{"name": "old"}')
    for refused in (store.declaration, lambda: store.declare({"name": "old"})):
        with pytest.raises(ValueError, match=r"of version 0\.1\. Move study\.json, plan\.jsonl"):
            refused()
    (store.folder / "study.json").unlink()
    store.declare({"name": "old"})
    assert store.in_place(RUNS, "a")


def test_a_run_that_lost_its_model_gets_it_back(store: Store) -> None:
    for content in ("first", "second"):
        claim = taken(store, "a")
        store.work_folder(claim).mkdir(parents=True)
        (store.work_folder(claim) / "model.safetensors").write_text(content)
        assert store.finish(claim, RUNS, {"scores": {}})
        if content == "first":
            (store.run_folder("a") / "model.safetensors").unlink()
    assert (store.run_folder("a") / "model.safetensors").read_text() == "second"


@pytest.mark.parametrize("words", [b"0.4375", b"seven"])
def test_a_changed_digit_or_word_in_the_store_is_noticed(store: Store, words: bytes) -> None:
    store.declare({"name": "one"})
    store.plan([{"key": "a", "kind": "run", "word": "seven"}])
    assert store.finish(made(store, "a"), RUNS, {"scores": {"mig": 0.4375}})
    store.close()
    path = store.folder / "study.sqlite"
    content = path.read_bytes()
    assert content.count(words) == 1
    path.write_bytes(content.replace(words, words[:-1] + b"6"))
    with pytest.raises(ValueError, match=r"study\.sqlite is damaged: .*checksum.*Move it away"):
        (store.read_finished(), store.read_plan())


def test_a_store_without_checksums_is_refused_with_what_to_do(store: Store) -> None:
    store.declare({"name": "one"})
    store.close()
    with sqlite3.connect(store.folder / "study.sqlite") as early:
        early.execute("UPDATE about SET value = ?", ('{"name": "one"}',))
    early.close()
    with pytest.raises(ValueError, match=r"study\.sqlite is damaged: .*no checksum.*Move it away"):
        store.declaration()


def test_a_store_that_is_deleted_while_it_is_used_is_named(store: Store) -> None:
    claim = taken(store, "a")
    (store.folder / "study.sqlite").unlink()
    with pytest.raises(OSError, match=r"study\.sqlite was deleted or replaced.*Start again"):
        store.finish(claim, RUNS, {"scores": {}})


def test_a_damaged_schema_is_named_also_where_its_name_is_no_text(tmp_path: Path) -> None:
    """SQLite's message quotes the damaged bytes, which cannot be decoded."""
    store = Store(tmp_path)
    store.declare({"name": "a"})
    store.close()
    path = tmp_path / STUDY
    path.write_bytes(path.read_bytes().replace(b"sqlite_autoindex_r", b"sq\x80ite_autoindex_r"))
    with pytest.raises(ValueError, match=r"study\.sqlite is damaged: .*Move it away"):
        Store(tmp_path).declaration()
