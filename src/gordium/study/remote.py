"""A study whose results lie at an address that fsspec knows, e.g. s3://bucket/study.

It belongs to one runner at a time, which works in a scratch folder of its machine. A finished run
is copied whole and its record comes last, so what has a record is there; the scratch is only a
copy. The runner's name stands at the address as owner/N, made by a conditional create, and N only
grows. Names found at an address become paths only if they are plain.
"""

import hashlib
import importlib
import json
import os
import shutil
import socket
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from gordium.files import cache_folder, plain_name, write_bytes
from gordium.study.store import CHANGES, LEASE, RUNS, Claim, Record, Store

DECLARATION, PLAN, RECORDS, FAILED, OWNER = "study.json", "plan.jsonl", "records", "failed", "owner"


def is_address(place: str) -> bool:
    """Whether a place is an address such as s3://bucket/study."""
    return "://" in place


def open_store(place: str, lease: float = LEASE) -> Store:
    """The store in a folder or at an address."""
    if not is_address(place):
        return Store(Path(place), lease)
    name = hashlib.sha256(place.rstrip("/").encode()).hexdigest()[:16]
    return RemoteStore(cache_folder() / "studies" / name, lease, address=place.rstrip("/"))


def fetched(place: str) -> Path:
    """A file at an address as a file of this machine; any other is where it is.

    Files of one name at different addresses have folders of their own.
    """
    if not is_address(place):
        return Path(place)
    folder, _, name = place.rpartition("/")
    own = hashlib.sha256(folder.encode()).hexdigest()[:16]
    target = cache_folder() / "fetched" / own / plain_name(name, "the name of a file")
    write_bytes(target, _Files(folder).read(name))
    return target


class RemoteStore(Store):
    """`folder` is this machine's scratch; what is at `address` counts."""

    def __init__(self, folder: Path, lease: float = LEASE, *, address: str = "") -> None:
        super().__init__(folder, lease)
        self.address = address
        self._number = 0  # of our entry in the list of owners; 0: we only read

    @property
    def place(self) -> str:
        return self.address

    def run_folder(self, key: str) -> Path:
        return self._brought(RUNS, key)

    def manipulation_folder(self, key: str) -> Path:
        return self._brought(CHANGES, key)

    def in_place(self, kind: str, key: str) -> bool:
        return self._files.has(f"{RECORDS}/{plain_name(key)}.json")

    def here(self, folder: str) -> str:
        kind, key = Path(folder).parts[-2:]
        if kind not in (RUNS, CHANGES):
            raise ValueError(f"{folder} is no folder of a run or a change.")
        return str(self._brought(kind, key))

    def declare(self, declaration: Record) -> None:
        files = self._files
        there = files.read_json(DECLARATION) if files.has(DECLARATION) else None
        if there is None and [name for name in files.names("") if not name.startswith(OWNER)]:
            raise ValueError(f"{self.address} holds other files and no study; choose a new one.")
        if there is None:
            self._forget_scratch()  # of a study that was deleted there
        elif not isinstance(there, dict) or there.get("name") != declaration["name"]:
            held = there.get("name") if isinstance(there, dict) else there
            raise ValueError(
                f"{self.address} holds the study {held!r}, not {declaration['name']!r}; "
                "choose another one."
            )
        self._own()
        super().declare(declaration)
        files.write(DECLARATION, json.dumps(declaration, indent=2).encode())

    def declaration(self) -> Record:
        if not self._files.has(DECLARATION):
            raise FileNotFoundError(f"{self.address} is not a study: it has no {DECLARATION}.")
        found: Record = self._files.read_json(DECLARATION)
        return found

    def plan(self, nodes: Iterable[Record]) -> None:
        super().plan(nodes)
        lines = "".join(json.dumps(node) + "\n" for node in super().planned())
        if not self._files.has(PLAN) or self._files.read(PLAN) != lines.encode():
            self._files.write(PLAN, lines.encode())

    def planned(self) -> list[Record]:
        if not self._files.has(PLAN):
            return []
        return [json.loads(line) for line in self._files.read(PLAN).decode().splitlines()]

    def deliver(self, claim: Claim, kind: str) -> None:
        """The whole folder, before its record; called where it was made."""
        made = self.work_folder(claim)
        for path in sorted(made.glob("[!.]*")) if made.is_dir() else ():
            self._files.write(f"{kind}/{claim.key}/{path.name}", path.read_bytes())

    def finish(self, claim: Claim, kind: str, record: Record) -> bool:
        """The record at the address comes after all else."""
        if not self._is_owner() or not super().finish(claim, kind, record):
            return False
        self._files.write(f"{RECORDS}/{claim.key}.json", json.dumps(record).encode())
        return True

    def finished(self) -> dict[str, Record]:
        return self._documents(RECORDS)

    def result(self, key: str) -> Record | None:
        name = f"{RECORDS}/{plain_name(key)}.json"
        return {"key": key, **self._files.read_json(name)} if self._files.has(name) else None

    def is_finished(self, key: str) -> bool:
        return self.in_place(RUNS, key)

    def fail(self, claim: Claim, label: str, error: str) -> bool:
        if not self._is_owner() or not super().fail(claim, label, error):
            return False
        text = json.dumps({"label": label, "error": error})
        self._files.write(f"{FAILED}/{claim.key}.json", text.encode())
        return True

    def failed(self) -> dict[str, Record]:
        found = self._documents(FAILED)
        return {key: record for key, record in found.items() if {"label", "error"} <= set(record)}

    def forget_failures(self) -> None:
        for name in self._files.names(FAILED):
            self._files.remove(f"{FAILED}/{plain_name(name)}")

    def renew(self, claims: Iterable[Claim]) -> None:
        super().renew(claims)
        with suppress(Exception):  # whatever the network is to this kind of address: once more soon
            self._sign()

    def close(self) -> None:
        """The next runner need not wait for our lease."""
        super().close()
        if getattr(self, "_number", 0):
            number, self._number = self._number, 0
            with suppress(Exception):
                self._files.write(f"{OWNER}/{number}", json.dumps({"name": "", "time": 0}).encode())

    def publish(self, name: str) -> str:
        place = self.folder / name
        for path in sorted(place.rglob("[!.]*")) if place.is_dir() else [place]:
            if path.is_file():
                self._files.write(path.relative_to(self.folder).as_posix(), path.read_bytes())
        return f"{self.address}/{name}"

    @property
    def _files(self) -> "_Files":
        return _Files(self.address)

    def _forget_scratch(self) -> None:
        super().close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _brought(self, kind: str, key: str) -> Path:
        """The folder in the scratch; from the address, if it is finished there and not here."""
        place = self.folder / kind / plain_name(key, "a key")
        if not place.exists() and self.is_finished(key):
            beside = place.with_name(f".{key}.{threading.get_ident()}")
            for name in self._files.names(f"{kind}/{key}"):
                content = self._files.read(f"{kind}/{key}/{name}")
                write_bytes(beside / plain_name(name, f"a name in {kind}/{key}"), content)
            with suppress(OSError):  # another process of this machine was faster
                beside.rename(place)
            shutil.rmtree(beside, ignore_errors=True)
        return place

    def _documents(self, folder: str) -> dict[str, Record]:
        """The JSON files of a folder at the address, by key; a damaged one is an error."""
        found = {}
        for name in sorted(self._files.names(folder)):
            key = plain_name(name.removesuffix(".json"), f"a name in {self.address}/{folder}")
            found[key] = {"key": key, **self._document(folder, key)}
        return found

    def _document(self, folder: str, key: str) -> Record:
        """A document never changes under its name, but by a record with more scores."""
        found = self._files.read_json(f"{folder}/{key}.json")
        if not isinstance(found, dict):
            raise ValueError(f"{self.address}/{folder}/{key}.json is damaged: it holds no table.")
        return found

    def _own(self) -> None:
        """Become the owner, or refuse where a runner was alive within the lease."""
        if self._is_owner():
            return
        number = self._newest_owner()
        if number:
            held = self._files.read_json(f"{OWNER}/{number}")
            age = time.time() - float(held["time"])
            if abs(age) < self.lease:
                raise ValueError(
                    f"{self.address} is worked on by a runner on {held['name']}, seen {age:.0f} s "
                    f"ago. An address has one runner; stop that one, and start again after "
                    f"{self.lease:.0f} s."
                )
        if not self._files.create(f"{OWNER}/{number + 1}", self._signature()):
            raise ValueError(f"{self.address} was taken by another runner just now; it has one.")
        self._number = number + 1

    def _is_owner(self) -> bool:
        return self._number > 0 and self._newest_owner() == self._number

    def _newest_owner(self) -> int:
        names = [name for name in self._files.names(OWNER) if name.isdecimal()]
        return max(map(int, names), default=0)

    def _signature(self) -> bytes:
        name = f"{socket.gethostname()}, process {os.getpid()}"
        return json.dumps({"name": name, "time": time.time()}).encode()

    def _sign(self) -> None:
        if self._number:
            self._files.write(f"{OWNER}/{self._number}", self._signature())


class _Files:
    """Files below an address; each is read and written whole."""

    def __init__(self, address: str) -> None:
        try:
            fsspec: Any = importlib.import_module("fsspec.core")
        except ModuleNotFoundError as error:
            raise ValueError(
                f"the address {address} needs fsspec: pip install 'gordium[cluster]'."
            ) from error
        try:
            self._system, root = fsspec.url_to_fs(address)
        except ImportError as error:  # the package for this kind of address
            raise ValueError(f"the address {address} cannot be opened: {error}.") from error
        self._root, self._address = root.rstrip("/"), address

    def has(self, name: str) -> bool:
        with self._reached():
            self._system.invalidate_cache()
            found: bool = self._system.exists(f"{self._root}/{name}")
            return found

    def names(self, folder: str) -> list[str]:
        """All files in and below a folder, by their names in it."""
        base = f"{self._root}/{folder}".rstrip("/")
        with self._reached():
            self._system.invalidate_cache()
            return [path.removeprefix(base).lstrip("/") for path in self._system.find(base)]

    def read(self, name: str) -> bytes:
        with self._reached():
            content: bytes = self._system.cat_file(f"{self._root}/{name}")
            return content

    def read_json(self, name: str) -> Any:
        try:
            return json.loads(self.read(name))
        except ValueError as error:
            raise ValueError(
                f"{self._address}/{name} is damaged: {error}. Delete it and start again."
            ) from error

    def write(self, name: str, content: bytes) -> None:
        target = f"{self._root}/{name}"
        with self._reached():
            self._system.makedirs(target.rpartition("/")[0], exist_ok=True)
            self._system.pipe_file(target, content)

    def create(self, name: str, content: bytes) -> bool:
        """Write a file that must not be there yet; False where it is."""
        target = f"{self._root}/{name}"
        with self._reached():
            self._system.makedirs(target.rpartition("/")[0], exist_ok=True)
            try:
                self._system.pipe_file(target, content, mode="create")
            except FileExistsError:
                return False
            return True

    def remove(self, name: str) -> None:
        with self._reached():
            self._system.rm_file(f"{self._root}/{name}")

    @contextmanager
    def _reached(self) -> Iterator[None]:
        """Whatever goes wrong on the way is said in a sentence, with the address."""
        try:
            yield
        except (FileExistsError, ValueError, NotImplementedError):
            raise
        except Exception as error:
            text = str(error).strip().splitlines()[0] if str(error).strip() else "no answer"
            raise OSError(
                f"{self._address} could not be reached: {type(error).__name__}: {text}. What was "
                "recorded is there; start again to go on."
            ) from error
