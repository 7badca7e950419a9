"""The folder of a study: what is planned, claimed, finished and failed. Files only, no torch.

Records and plans are lines of JSON; a line that a kill cut short is ignored and ended by the next
writer. Any number of runners on any machines may share the folder.
"""

import json
import os
import secrets
import socket
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gordium.files import read_json, write_json, write_text

STUDY, PLAN, FINISHED = "study.json", "plan.jsonl", "finished.jsonl"
Record = dict[str, Any]


@dataclass(frozen=True)
class Store:
    """`lease`: after how many seconds without a sign of life a claim has expired."""

    folder: Path
    lease: float = 60.0

    @property
    def place(self) -> str:
        """What a worker opens it by."""
        return str(self.folder)

    def run_folder(self, key: str) -> Path:
        return self.folder / "runs" / key

    def manipulation_folder(self, key: str) -> Path:
        return self.folder / "manipulations" / key

    def here(self, folder: str) -> str:
        """A run's or a manipulation's folder, as this machine sees it."""
        return folder

    def publish(self, name: str) -> str:
        """Where a file or folder lies for others that was written into the store's folder."""
        return str(self.folder / name)

    def declare(self, declaration: Record) -> None:
        """Write down what the study is; another declaration of the same name takes its place."""
        path = self.folder / STUDY
        if path.exists() and (held := read_json(path).get("name")) != declaration["name"]:
            raise ValueError(
                f"{self.folder} holds the study {held!r}, not {declaration['name']!r}; "
                "choose another folder."
            )
        if not path.exists() and _other_files(self.folder):
            raise ValueError(f"{self.folder} holds other files and no study; choose a new folder.")
        if not path.exists() or read_json(path) != declaration:
            write_json(path, declaration)

    def declaration(self) -> Record:
        if not (self.folder / STUDY).is_file():
            raise FileNotFoundError(f"{self.folder} is not a study: it has no {STUDY}.")
        found: Record = read_json(self.folder / STUDY)
        return found

    def plan(self, nodes: Iterable[Record]) -> None:
        """Write down all that is known to belong to the study, one node a line."""
        text = "".join(json.dumps(node) + "\n" for node in nodes)
        path = self.folder / PLAN
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            write_text(path, text)

    def planned(self) -> list[Record]:
        return list(_lines(self.folder / PLAN))

    def record(self, key: str, record: Record) -> None:
        """Add what came out of a run; written twice it counts once."""
        _append(self.folder / FINISHED, {"key": key, **record})

    def finished(self) -> dict[str, Record]:
        """What came out, by key; the first record of a key counts."""
        found: dict[str, Record] = {}
        for record in _lines(self.folder / FINISHED):
            found.setdefault(record["key"], record)
        return found

    def is_finished(self, key: str) -> bool:
        return key in self.finished()

    def fail(self, key: str, label: str, error: str) -> None:
        write_json(self._failures / f"{key}.json", {"key": key, "label": label, "error": error})

    def failed(self) -> dict[str, Record]:
        return {path.stem: read_json(path) for path in sorted(self._failures.glob("*.json"))}

    def forget_failures(self) -> None:
        for path in self._failures.glob("*.json"):
            path.unlink(missing_ok=True)

    def claimed(self) -> set[str]:
        """Keys that some runner is at work on."""
        newest = _newest(self._claims)
        return {key for key, number in newest.items() if not self._expired(key, number)}

    def claim(self, key: str) -> Path | None:
        """Take a key, or find that somebody else is at work on it.

        Claims of a key are numbered, and only one runner can create the next number: nobody
        takes away a claim that was renewed in the meantime.
        """
        self._claims.mkdir(parents=True, exist_ok=True)
        newest = _newest(self._claims, key).get(key, 0)
        if newest and not self._expired(key, newest):
            return None
        path = self._claims / f"{key}.{newest + 1}"
        try:
            with path.open("x", encoding="utf-8") as file:
                json.dump({"host": socket.gethostname(), "pid": os.getpid()}, file)
        except FileExistsError:
            return None
        return path

    def renew(self, claims: Iterable[Path]) -> None:
        """Signs of life."""
        for path in claims:
            with suppress(OSError):
                os.utime(path)

    def release(self, claim: Path) -> None:
        """Give a key back, with the expired claims before it."""
        key = claim.name.partition(".")[0]
        for path in sorted(self._claims.glob(f"{key}.*")):
            path.unlink(missing_ok=True)

    @property
    def _claims(self) -> Path:
        return self.folder / "claims"

    @property
    def _failures(self) -> Path:
        return self.folder / "failed"

    def _expired(self, key: str, number: int) -> bool:
        path = self._claims / f"{key}.{number}"
        try:
            age = self._now() - path.stat().st_mtime
            holder = json.loads(path.read_text(encoding="utf-8") or "{}")
        except (OSError, ValueError):
            return False  # just released or just being written: ask again later
        here = holder.get("host") == socket.gethostname()
        return age > self.lease or (here and not _alive(holder["pid"]))

    def _now(self) -> float:
        """The time by the clock that stamps the claims, which may be a file server's."""
        probe = self._claims / f".now-{secrets.token_hex(8)}"
        probe.touch()
        try:
            return probe.stat().st_mtime
        finally:
            probe.unlink(missing_ok=True)


def _newest(folder: Path, only: str | None = None) -> dict[str, int]:
    """The highest number of each claimed key."""
    found: dict[str, int] = {}
    names = os.listdir(folder) if folder.is_dir() else []
    for name in names:
        key, _, number = name.partition(".")
        if key and number.isdecimal() and only in (None, key):
            found[key] = max(found.get(key, 0), int(number))
    return found


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _other_files(folder: Path) -> bool:
    return folder.is_dir() and any(not path.name.startswith(".") for path in folder.iterdir())


def _append(path: Path, record: Record) -> None:
    """One write at the end, which concurrent writers cannot tear; a line left open is ended."""
    line = json.dumps(record) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        size = os.fstat(file).st_size
        torn = size > 0 and os.pread(file, 1, size - 1) != b"\n"
        os.write(file, (("\n" if torn else "") + line).encode())
        os.fsync(file)
    finally:
        os.close(file)


def _lines(path: Path) -> Iterator[Record]:
    if not path.exists():
        return
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            with suppress(ValueError):
                if isinstance(record := json.loads(line), dict):
                    yield record
