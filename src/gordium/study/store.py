"""The store of a study: plan, claims, results and failures in one SQLite file. No torch.

Several runners on one machine share it. A claim on a run has a generation, a number that only
grows: it is a fencing token. A run is made in a folder of its generation, and only the holder of
the newest one can put that folder in place or record anything, so a runner that was suspended and
wakes up can change nothing. A claim is renewed in the store. It may be taken over when it has not
been renewed for a while, or at once when its process has ended. Process ids decide nothing.
"""

import json
import platform
import secrets
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from gordium.fields import Declaration
from gordium.files import plain_name, seal, seal_sorted, unseal_all
from gordium.study.database import connect, read_generation
from gordium.study.process_lock import Presence, is_dead
from gordium.study.records import Failure, PlanLine, Record

STUDY = "study.sqlite"
RUNS, CHANGES, WORK = "runs", "manipulations", "work"
REPLACED = ("scores.json", "representation.npz")  # all that may change in a finished run
LEASE = 60.0
_NO_SHARED_DISK = (
    "Nodes of a cluster that have disks of their own need an address, which all of them reach: "
    "--out s3://bucket/study. If the folder was deleted, start again with --retry-failed."
)
_OLD = ("study.json", "plan.jsonl", "finished.jsonl", "failed", "claims")  # of version 0.1
# What commands write beside the store, and `config.json`, which the demo of version 0.1 had there.
_PAGES = ("rows.csv", "factors.csv", "methods.csv", "report.html", "figure4.png")
_BESIDE = ("config.json", "manipulation", *_PAGES)


class Claim(NamedTuple):
    """The right to make a run or a change, as long as nobody has a later generation of it."""

    key: str
    generation: int


class Store:
    """The store in a folder; after `lease` seconds without renewal a claim may be taken over."""

    _database: sqlite3.Connection | None = None
    _file: tuple[int, int] | None = None
    _presence: Presence | None = None

    def __init__(self, folder: Path, lease: float = LEASE) -> None:
        self.folder, self.lease = Path(folder), lease
        self._lock = threading.RLock()
        self._owner = secrets.token_hex(8)

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database, and of the sign that this process lives."""
        for part in (self._database, self._presence):
            if part is not None:
                part.close()
        self._database, self._presence = None, None

    @property
    def place(self) -> str:
        """The folder or address by which a worker opens the store."""
        return str(self.folder)

    def run_folder(self, key: str) -> Path:
        """Where a finished run is."""
        return self.find_folder(RUNS, key)

    def manipulation_folder(self, key: str) -> Path:
        """Where a finished change is."""
        return self.find_folder(CHANGES, key)

    def find_folder(self, kind: str, key: str) -> Path:
        """Where a finished run or change (`kind`: its parent) is on this machine."""
        return self.folder / kind / plain_name(key, "a key")

    def work_folder(self, claim: Claim) -> Path:
        """Where the holder of a claim works."""
        return self.folder / WORK / f"{plain_name(claim.key)}.{claim.generation}"

    def in_place(self, kind: str, key: str) -> bool:
        """Whether the folder of a finished run or change (`kind`: its parent) is in place."""
        return (self.find_folder(kind, key) / "model.safetensors").exists()

    def locate(self, folder: str) -> str:
        """The folder of a run or a change on this machine."""
        return folder

    def check_sight(self, claim: Claim) -> None:
        """Refuse to work for a claim that is not in the store as this process sees it.

        A node of a cluster that has a disk of its own would work for hours where nobody looks.
        """
        if read_generation(self.folder, STUDY, claim.key) < claim.generation:
            raise FileNotFoundError(
                f"{self.folder} on {platform.node()} is not the study's folder, which has a claim "
                f"on {claim.key}. {_NO_SHARED_DISK}"
            )

    def deliver(self, claim: Claim, kind: str) -> Record:
        """Copy what was made to where others find it; return what to record of that.

        In a folder this is not needed, so nothing is recorded.
        """
        return {}

    def publish(self, name: str) -> str:
        """Where others find a file or folder that was written into the store's folder."""
        return str(self.folder / name)

    def declare(self, declaration: Declaration) -> None:
        """Record the declaration of the study, in place of an earlier one of the same name."""
        held = self._read_about()
        if held is not None and held["name"] != declaration["name"]:
            raise ValueError(
                f"{self.folder} holds the study {held['name']!r}, not {declaration['name']!r}; "
                "choose another folder."
            )
        if held is None and _other_files(self.folder):
            raise ValueError(f"{self.folder} holds other files and no study; choose a new folder.")
        if held != declaration:
            with self._writing() as db:
                text = seal(declaration)
                db.execute("INSERT OR REPLACE INTO about VALUES ('declaration', ?)", (text,))

    def declaration(self) -> Declaration:
        """The declaration of the study; an error if there is none."""
        found = self._read_about()
        if found is None:
            raise FileNotFoundError(f"{self.folder} is not a study: it has no {STUDY}.")
        return found

    def holds(self, declaration: Declaration) -> bool:
        """Whether this very study is declared here, and no other version of it."""
        return self.exists and self.declaration() == json.loads(json.dumps(declaration))

    def plan(self, nodes: Iterable[PlanLine]) -> None:
        """Record all runs and changes that are known to belong to the study.

        Earlier ones with a result stay, even if they are no longer planned.
        """
        nodes = list(nodes)
        with self._writing() as db:
            lines = [(node["key"], seal_sorted(node)) for node in nodes]
            kept = "SELECT key, node FROM plan WHERE key IN (SELECT key FROM results)"
            old = [tuple(row) for row in db.execute(f"{kept} ORDER BY position")]
            planned = {key for key, _ in lines}
            lines += [line for line in old if line[0] not in planned]
            db.execute("DELETE FROM plan")
            db.executemany("INSERT INTO plan (key, node) VALUES (?, ?)", lines)

    def read_plan(self) -> list[PlanLine]:
        """All that was planned, in order."""
        rows = self._rows("SELECT node FROM plan ORDER BY position")
        return self._unseal_all([row[0] for row in rows])

    def list_planned(self) -> set[str]:
        """The keys of all that was planned; faster than reading the plan."""
        return {row[0] for row in self._rows("SELECT key FROM plan")}

    def read_finished(self) -> dict[str, Record]:
        """All results, by key."""
        rows = self._rows("SELECT key, record FROM results")
        found = self._unseal_all([row[1] for row in rows])
        return {row[0]: record for row, record in zip(rows, found, strict=True)}

    def list_finished(self) -> dict[str, bool]:
        """Whether each finished run is over-pruned, by key; faster than reading all results."""
        query = "SELECT key, json_extract(record, '$.over_pruned') FROM results"
        return {row[0]: bool(row[1]) for row in self._rows(query)}

    def result(self, key: str) -> Record | None:
        """The result of one run or change; None if it is not finished."""
        rows = self._rows("SELECT record FROM results WHERE key = ?", key)
        return self._unseal_all([*rows[0]])[0] if rows else None

    def is_finished(self, key: str) -> bool:
        """Whether a run or change has a result."""
        return bool(self._rows("SELECT 1 FROM results WHERE key = ?", key))

    def read_failed(self) -> dict[str, Failure]:
        """All failures, by key."""
        rows = self._rows("SELECT key, label, error FROM failures ORDER BY key")
        return {row[0]: {"key": row[0], "label": row[1], "error": row[2]} for row in rows}

    def forget_failures(self) -> None:
        """Delete all failures, so that failed runs are tried again."""
        if self.exists:
            with self._writing() as db:
                db.execute("DELETE FROM failures")

    def list_claimed(self) -> set[str]:
        """The keys that some runner is at work on."""
        rows = self._rows("SELECT key, owner, renewed FROM claims WHERE owner IS NOT NULL")
        return {key for key, owner, renewed in rows if self._is_alive(owner, renewed)}

    def claim(self, key: str) -> Claim | None:
        """Claim a key with the next generation; None if some runner is at work on it.

        What an earlier holder has made so far is taken over.
        """
        with self._writing() as db:
            query = "SELECT generation, owner, renewed FROM claims WHERE key = ?"
            row = db.execute(query, (key,)).fetchone() or (0, None, 0.0)
            if row[1] is not None and self._is_alive(row[1], row[2]):
                return None
            if self._presence is None:
                self._presence = Presence(self.folder / WORK, self._owner)
            claim = Claim(key, row[0] + 1)
            values = (key, claim.generation, self._owner, time.time())
            db.execute("INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?)", values)
            self._take_over(claim)
        return claim

    def renew(self, claims: Iterable[Claim]) -> None:
        """Renew these claims, but for those that were taken over."""
        values = [(time.time(), claim.key, claim.generation) for claim in claims]
        with self._writing() as db:
            db.executemany("UPDATE claims SET renewed = ? WHERE key = ? AND generation = ?", values)

    def release(self, claim: Claim) -> None:
        """Give a key back; the next holder goes on from what was made so far."""
        with self._writing() as db:
            query = "UPDATE claims SET owner = NULL WHERE key = ? AND generation = ?"
            db.execute(query, claim)

    def finish(self, claim: Claim, kind: str, record: Record) -> bool:
        """Put what was made in place, in `runs` or `manipulations`, and record the result.

        If there is a newer claim, nothing is done and False is returned. A FileNotFoundError says
        that nothing was recorded, since what was made is not here.
        """
        with self._writing() as db:
            if not _holds(db, claim):
                return False
            self._put_in_place(claim, kind)
            text = seal({"key": claim.key, **record})
            db.execute("INSERT OR REPLACE INTO results VALUES (?, ?)", (claim.key, text))
            db.execute("DELETE FROM failures WHERE key = ?", (claim.key,))
            db.execute("UPDATE claims SET owner = NULL WHERE key = ?", (claim.key,))
        return True

    def fail(self, claim: Claim, label: str, error: str) -> bool:
        """Record an error; if there is a newer claim, nothing is recorded and False returned."""
        with self._writing() as db:
            if not _holds(db, claim):
                return False
            values = (claim.key, label, error)
            db.execute("INSERT OR REPLACE INTO failures VALUES (?, ?, ?)", values)
        return True

    def _is_alive(self, owner: str, renewed: float) -> bool:
        """Whether a claim was renewed within the lease by a process that has not ended.

        Times far in the future, from a clock that was set back, do not count as renewed.
        """
        if abs(time.time() - renewed) > self.lease:
            return False
        return not is_dead(self.folder / WORK, owner)

    def _take_over(self, claim: Claim) -> None:
        """Take over what the newest earlier generation has made; delete what older ones made."""
        work = self.folder / WORK
        found = {
            int(path.suffix[1:]): path
            for path in work.glob(f"{plain_name(claim.key)}.*")
            if path.suffix[1:].isdecimal()
        }
        for number in sorted(found, reverse=True):
            if not self.work_folder(claim).exists():
                found[number].rename(self.work_folder(claim))
            elif number != claim.generation:
                shutil.rmtree(found[number], ignore_errors=True)

    def _put_in_place(self, claim: Claim, kind: str) -> None:
        made, place = self.work_folder(claim), self.folder / kind / claim.key
        if not made.exists():
            if place.is_dir():  # it was finished before, and nothing was added
                return
            raise FileNotFoundError(
                f"{claim.key} is said to be finished, but neither {made} nor {place} is on "
                f"{platform.node()}, so nothing was recorded. {_NO_SHARED_DISK}"
            )
        if self.in_place(kind, claim.key):
            for name in (*REPLACED, *(path.name for path in made.glob("*.png"))):
                if (made / name).exists():
                    (made / name).replace(place / name)
            shutil.rmtree(made, ignore_errors=True)
        else:
            shutil.rmtree(place, ignore_errors=True)  # what is left of a damaged folder
            place.parent.mkdir(parents=True, exist_ok=True)
            made.rename(place)

    @property
    def exists(self) -> bool:
        """Whether the folder holds a study; a study of version 0.1 is an error."""
        if (self.folder / _OLD[0]).is_file():
            raise ValueError(
                f"{self.folder} holds a study of version 0.1. Move {', '.join(_OLD)} out of it and "
                f"start again: runs in {self.folder / RUNS} are found by their names."
            )
        return self._database is not None or (self.folder / STUDY).is_file()

    def _read_about(self) -> Declaration | None:
        rows = self._rows("SELECT value FROM about WHERE name = 'declaration'")
        return self._unseal_all([*rows[0]])[0] if rows else None

    def _unseal_all(self, texts: list[Any]) -> list[Any]:
        try:
            return unseal_all(texts)
        except (ValueError, TypeError) as error:
            raise ValueError(self._damage(error)) from error

    def _damage(self, error: Exception) -> str:
        return (
            f"{self.folder / STUDY} is damaged: {error}. Move it away, with {STUDY}-wal if that "
            f"is there, and start again: runs in {self.folder / RUNS} are found by their names."
        )

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        if not self.exists:
            return []
        with self._connect() as db:
            return db.execute(query, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, with no other writer at the same time."""
        with self._connect() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
            except BaseException:
                with suppress(sqlite3.Error):
                    db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")

    @contextmanager
    def _connect(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                if self._database is None:
                    self._database = connect(self.folder, STUDY)
                    self._file = _identity(self.folder / STUDY)
                elif _identity(self.folder / STUDY) != self._file:
                    raise OSError(
                        f"{self.folder / STUDY} was deleted or replaced while it was in use. Start "
                        f"again: runs in {self.folder / RUNS} are found by their names."
                    )
                yield self._database
            except sqlite3.OperationalError as error:
                raise OSError(
                    f"{self.folder / STUDY} cannot be used: {error}. Nothing was changed; mend "
                    "that and start again."
                ) from error
            except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # or in SQLite's message
                raise ValueError(self._damage(error)) from error


def _identity(path: Path) -> tuple[int, int] | None:
    """The identity of the file at a path; None where there is no file."""
    with suppress(OSError):
        found = path.stat()
        return found.st_dev, found.st_ino
    return None


def _holds(db: sqlite3.Connection, claim: Claim) -> bool:
    query = "SELECT 1 FROM claims WHERE key = ? AND generation = ?"
    return db.execute(query, claim).fetchone() is not None


def _other_files(folder: Path) -> bool:
    """Whether a folder holds anything but what a store, or a command on it, puts there."""
    own = (RUNS, CHANGES, WORK, *_BESIDE)
    return folder.is_dir() and any(
        not path.name.startswith((".", STUDY)) and path.name not in own for path in folder.iterdir()
    )
