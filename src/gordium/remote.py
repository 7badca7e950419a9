"""A study whose results lie at an address that fsspec knows, e.g. s3://bucket/study.

Each machine works in a scratch folder of its own. A finished run is copied whole and its record
comes last, so what has a record is there. Checkpoints stay in the scratch folder. An object store
gives no atomic claims: the runners of one machine own an address at a time.
"""

import hashlib
import importlib
import os
import shutil
import socket
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gordium.files import cache_folder, read_json, write_json
from gordium.store import PLAN, STUDY, Record, Store

RECORDS, FAILED, OWNER = "records", "failed", "owner.json"


def is_address(place: str) -> bool:
    return "://" in place


def open_store(place: str) -> Store:
    """The store in a folder or at an address."""
    if not is_address(place):
        return Store(Path(place))
    name = hashlib.sha256(place.rstrip("/").encode()).hexdigest()[:16]
    return RemoteStore(cache_folder() / "studies" / name, address=place.rstrip("/"))


def fetched(place: str) -> Path:
    """A file at an address as a file of this machine; any other is where it is."""
    if not is_address(place):
        return Path(place)
    folder, _, name = place.rpartition("/")
    return _Files(folder).fetch(name, cache_folder() / "fetched")


@dataclass(frozen=True)
class RemoteStore(Store):
    """`folder` is this machine's scratch; what is at `address` counts."""

    address: str = ""

    @property
    def place(self) -> str:
        return self.address

    def run_folder(self, key: str) -> Path:
        return self._brought("runs", key)

    def manipulation_folder(self, key: str) -> Path:
        return self._brought("manipulations", key)

    def here(self, folder: str) -> str:
        kind, key = Path(folder).parts[-2:]
        return str(self._brought(kind, key))

    def declare(self, declaration: Record) -> None:
        files = self._files
        if files.has(STUDY):
            files.fetch(STUDY, self.folder)
        elif set(files.names("")) - {OWNER}:
            raise ValueError(f"{self.address} holds other files and no study; choose a new one.")
        else:
            shutil.rmtree(self.folder, ignore_errors=True)  # of a study that was deleted there
        super().declare(declaration)
        self._own()
        files.send(self.folder, STUDY)

    def declaration(self) -> Record:
        if not self._files.has(STUDY):
            raise FileNotFoundError(f"{self.address} is not a study: it has no {STUDY}.")
        self._files.fetch(STUDY, self.folder)
        return super().declaration()

    def plan(self, nodes: Iterable[Record]) -> None:
        before = super().planned()
        super().plan(nodes)
        if super().planned() != before or not self._files.has(PLAN):
            self._files.send(self.folder, PLAN)

    def planned(self) -> list[Record]:
        if self._files.has(PLAN):
            self._files.fetch(PLAN, self.folder)
        return super().planned()

    def record(self, key: str, record: Record) -> None:
        """The whole folder first, then the record; the folder here is no longer needed."""
        for kind in ("runs", "manipulations"):
            if (self.folder / kind / key).is_dir():
                self._files.send(self.folder, f"{kind}/{key}")
                shutil.rmtree(self.folder / kind / key)
        write_json(self.folder / RECORDS / f"{key}.json", {"key": key, **record})
        self._files.send(self.folder, f"{RECORDS}/{key}.json")

    def finished(self) -> dict[str, Record]:
        return self._mirrored(RECORDS)

    def is_finished(self, key: str) -> bool:
        return self._files.has(f"{RECORDS}/{key}.json")

    def fail(self, key: str, label: str, error: str) -> None:
        super().fail(key, label, error)
        self._files.send(self.folder, f"{FAILED}/{key}.json")

    def failed(self) -> dict[str, Record]:
        return self._mirrored(FAILED)

    def forget_failures(self) -> None:
        for name in self._files.names(FAILED):
            self._files.remove(f"{FAILED}/{name}")

    def renew(self, claims: Iterable[Path]) -> None:
        super().renew(claims)
        with suppress(Exception):  # whatever the network is to this kind of address: once more soon
            self._sign()

    def publish(self, name: str) -> str:
        self._files.send(self.folder, name)
        return f"{self.address}/{name}"

    @property
    def _files(self) -> "_Files":
        return _Files(self.address)

    def _brought(self, kind: str, key: str) -> Path:
        """The folder in the scratch; from the address, if it is finished there and not here."""
        place = self.folder / kind / key
        if not place.exists() and self.is_finished(key):
            beside = place.with_name(f".{key}.{os.getpid()}")
            for name in self._files.names(f"{kind}/{key}"):
                self._files.fetch(f"{kind}/{key}/{name}", self.folder, beside / name)
            with suppress(OSError):  # another process of this machine was faster
                beside.rename(place)
            shutil.rmtree(beside, ignore_errors=True)
        return place

    def _mirrored(self, folder: str) -> dict[str, Record]:
        """The JSON files of a folder at the address; one that is damaged is none."""
        there = {name for name in self._files.names(folder) if name.endswith(".json")}
        here = self.folder / folder
        for path in here.glob("*.json"):
            if path.name not in there:
                path.unlink()
        found = {}
        for name in sorted(there):
            if not (here / name).exists():
                self._files.fetch(f"{folder}/{name}", self.folder)
            with suppress(ValueError):
                found[name.removesuffix(".json")] = read_json(here / name)
        return found

    def _own(self) -> None:
        """Refuse where a runner of another machine was alive within the lease."""
        if self._files.has(OWNER):
            held = read_json(self._files.fetch(OWNER, self.folder))
            age = time.time() - held["time"]
            if held["host"] != socket.gethostname() and age < self.lease:
                raise ValueError(
                    f"{self.address} is worked on by a runner on {held['host']}, seen {age:.0f} s "
                    f"ago. An address has the runners of one machine; stop them, and start again "
                    f"after {self.lease:.0f} s."
                )
        self._sign()

    def _sign(self) -> None:
        write_json(self.folder / OWNER, {"host": socket.gethostname(), "time": time.time()})
        self._files.send(self.folder, OWNER)


class _Files:
    """Files below an address."""

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
        self._root = root.rstrip("/")

    def has(self, name: str) -> bool:
        self._system.invalidate_cache()
        found: bool = self._system.exists(f"{self._root}/{name}")
        return found

    def names(self, folder: str) -> list[str]:
        """All files in and below a folder, by their names in it."""
        self._system.invalidate_cache()
        base = f"{self._root}/{folder}".rstrip("/")
        return [path.removeprefix(base).lstrip("/") for path in self._system.find(base)]

    def fetch(self, name: str, folder: Path, to: Path | None = None) -> Path:
        target = to or folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        self._system.get_file(f"{self._root}/{name}", str(target))
        return target

    def send(self, folder: Path, name: str) -> None:
        """A file of `folder`, or all that are in a folder of it."""
        place = folder / name
        inside = (p for p in sorted(place.rglob("[!.]*")) if p.is_file())
        for path in inside if place.is_dir() else [place]:
            target = f"{self._root}/{path.relative_to(folder).as_posix()}"
            self._system.makedirs(target.rpartition("/")[0], exist_ok=True)
            self._system.put_file(str(path), target)

    def remove(self, name: str) -> None:
        self._system.rm_file(f"{self._root}/{name}")
