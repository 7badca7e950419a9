"""A study whose results lie at an address that fsspec knows, e.g. s3://bucket/study.

It belongs to one runner at a time, which works in a scratch folder of its machine. A finished run
is copied whole into a folder of its own, and its record is written last: it names that folder and
the checksums of its files. So a run with a record is complete, nothing at the address is written
over, and the scratch is only a copy, which is fetched again if its checksums differ. Names found at
an address become paths only if they are plain.
"""

import hashlib
import json
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import cast

from gordium.fields import Declaration
from gordium.files import cache_folder, find_cached, plain_name, sha256, sweep, write_bytes
from gordium.study.address import (
    Files,
    is_address,
    read_table,
    read_tables,
    table_names,
    write_table,
)
from gordium.study.address_owner import OWNER, Owner, newest_owner, own, owner_name
from gordium.study.records import Failure, PlanLine, Record
from gordium.study.store import CHANGES, LEASE, RUNS, Claim, Store

DECLARATION, PLAN, RECORDS, FAILED = "study", "plan", "records", "failed"
STUDIES, FETCHED = "studies", "fetched"  # folders in the cache folder
_HASHED = re.compile(r"[0-9a-f]{16}")  # the names of folders in them
_DELIVERY = re.compile(r"(?P<folder>(?P<number>[0-9]{1,9})-[0-9a-f]{16})/[^/]+")


def open_store(place: str, lease: float = LEASE) -> Store:
    """The store in a folder or at an address."""
    if not is_address(place):
        return Store(Path(place), lease)
    name = hashlib.sha256(place.rstrip("/").encode()).hexdigest()[:16]
    return RemoteStore(cache_folder() / STUDIES / name, lease, address=place.rstrip("/"))


def fetch_file(place: str) -> Path:
    """A local copy of a file at an address; a path of this machine stays what it is.

    Files of one name from different addresses go to different folders.
    """
    if not is_address(place):
        return Path(place)
    folder, _, name = place.rpartition("/")
    own_folder = hashlib.sha256(folder.encode()).hexdigest()[:16]
    target = cache_folder() / FETCHED / own_folder / plain_name(name, "the name of a file")
    write_bytes(target, Files(folder).read(name))
    return target


def list_fetched() -> Iterator[Path]:
    """The local copies that `fetch_file` has made."""
    for folder in _list_hashed(FETCHED):
        yield from find_cached(f"{FETCHED}/{folder.name}", r"[A-Za-z0-9_][A-Za-z0-9._-]*")


def list_scratch() -> Iterator[Path]:
    """All files of the scratch folders of studies at addresses."""
    for folder in _list_hashed(STUDIES):
        yield from (path for path in folder.rglob("*") if path.is_file())


def _list_hashed(name: str) -> list[Path]:
    place = cache_folder() / name
    found = sorted(place.iterdir()) if place.is_dir() else []
    return [path for path in found if path.is_dir() and _HASHED.fullmatch(path.name)]


class RemoteStore(Store):
    """A store at an `address`; `folder` is the scratch of this machine."""

    _owns: Owner | None = None  # without it the store is only read

    def __init__(self, folder: Path, lease: float = LEASE, *, address: str = "") -> None:
        super().__init__(folder, lease)
        self.address = address

    @property
    def place(self) -> str:
        return self.address

    def find_folder(self, kind: str, key: str) -> Path:
        """The folder in the scratch, fetched from the address if it is not what is recorded."""
        place = super().find_folder(kind, key)
        record = self.result(key)
        if record is None:
            return place
        sums = _sums(record)
        if not (place.is_dir() and all(_has_sum(place / name, sums[name]) for name in sums)):
            self._fetch(f"{kind}/{key}/{_folder(record)}", sums, place)
        return place

    def in_place(self, kind: str, key: str) -> bool:
        return self.is_finished(key)

    def locate(self, folder: str) -> str:
        kind, key = Path(folder).parts[-2:]
        if kind not in (RUNS, CHANGES):
            raise ValueError(f"{folder} is not the folder of a run or a change.")
        return str(self.find_folder(kind, key))

    def declare(self, declaration: Declaration) -> None:
        there = read_table(self._files, DECLARATION)
        if there is None and any(not n.startswith(f"{OWNER}/") for n in self._files.names("")):
            there = read_table(self._files, DECLARATION)  # another runner may just have begun
            if there is None:
                raise ValueError(
                    f"{self.address} holds other files and no study; choose a new one."
                )
        if there is None:
            super().close()
            shutil.rmtree(self.folder, ignore_errors=True)  # of a study that was deleted there
        elif there.get("name") != declaration["name"]:
            raise ValueError(
                f"{self.address} holds the study {there.get('name')!r}, not "
                f"{declaration['name']!r}; choose another one."
            )
        if not self._is_owner():
            self._owns = own(self._files, self.lease)
        super().declare(declaration)
        if there != json.loads(json.dumps(declaration)):
            write_table(self._files, DECLARATION, self._number, declaration)

    def declaration(self) -> Declaration:
        found = read_table(self._files, DECLARATION)
        if found is None:
            raise FileNotFoundError(f"{self.address} is not a study: it has no {DECLARATION}.")
        return found

    def plan(self, nodes: Iterable[PlanLine]) -> None:
        """Write the plan; an error if another runner has taken over the address."""
        if not self._is_owner():
            raise ValueError(
                f"{self.address} was taken over by a runner on {owner_name(self._files)}, as "
                f"nothing was heard of this one for {self.lease:.0f} s. An address has one runner; "
                "what was recorded is there."
            )
        lines, before = list(nodes), self.read_plan()
        keys, recorded = {node["key"] for node in lines}, table_names(self._files, RECORDS)
        lines += [n for n in before if n["key"] not in keys and n["key"] in recorded]
        if lines != before:
            write_table(self._files, PLAN, self._number, {"nodes": lines})

    def read_plan(self) -> list[PlanLine]:
        found = read_table(self._files, PLAN)
        return list(found["nodes"]) if found else []

    def check_sight(self, claim: Claim) -> None:
        """Let every node work: each has a scratch of its own, and delivers to the address."""

    def deliver(self, claim: Claim, kind: str) -> Record:
        """Copy the whole folder to a new one at the address, before its record is written.

        A worker calls this. What an earlier runner finished but did not record is in place in the
        scratch already.
        """
        source = self.work_folder(claim)
        source = source if source.is_dir() else self.folder / kind / plain_name(claim.key)
        folder = f"{newest_owner(self._files)}-{secrets.token_hex(8)}"
        sums = {}
        for path in sorted(source.glob("[!.]*")):
            content = path.read_bytes()
            self._files.write(f"{kind}/{claim.key}/{folder}/{path.name}", content)
            sums[path.name] = hashlib.sha256(content).hexdigest()
        return {"delivered": {"folder": folder, "files": sums}}

    def finish(self, claim: Claim, kind: str, record: Record) -> bool:
        """Write the record, after all files at the address and before the scratch's own."""
        if not self._is_owner():
            return False
        write_table(self._files, f"{RECORDS}/{claim.key}", self._number, record)
        done = super().finish(claim, kind, record)
        with suppress(OSError):
            self._clear(kind, claim.key, record)
        return done

    def read_finished(self) -> dict[str, Record]:
        found = read_tables(self._files, RECORDS)
        return {key: cast(Record, {"key": key, **record}) for key, record in found.items()}

    def list_finished(self) -> dict[str, bool]:
        return {key: bool(it.get("over_pruned")) for key, it in self.read_finished().items()}

    def result(self, key: str) -> Record | None:
        found = read_table(self._files, f"{RECORDS}/{plain_name(key)}")
        return None if found is None else cast(Record, {"key": key, **found})

    def is_finished(self, key: str) -> bool:
        return bool(self._files.names(f"{RECORDS}/{plain_name(key)}"))

    def fail(self, claim: Claim, label: str, error: str) -> bool:
        if not self._is_owner() or not super().fail(claim, label, error):
            return False
        table = {"label": label, "error": error}
        write_table(self._files, f"{FAILED}/{claim.key}", self._number, table)
        return True

    def read_failed(self) -> dict[str, Failure]:
        found = read_tables(self._files, FAILED)
        recorded = table_names(self._files, RECORDS) if found else set()
        left = sorted({*found} - recorded)
        return {key: cast(Failure, {"key": key, **found[key]}) for key in left}

    def forget_failures(self) -> None:
        table_names(self._files, FAILED)  # refuses files that no runner writes
        for name in self._files.names(FAILED):
            self._files.remove(f"{FAILED}/{name}")

    def renew(self, claims: Iterable[Claim]) -> None:
        super().renew(claims)
        if self._owns:
            with suppress(Exception):  # any network error: the next renewal tries again
                self._owns.sign(self._files)

    def close(self) -> None:
        super().close()
        if owner := self._owns:
            self._owns = None
            with suppress(Exception):
                owner.leave(self._files)

    def publish(self, name: str) -> str:
        place = self.folder / name
        for path in sorted(place.rglob("[!.]*")) if place.is_dir() else [place]:
            if path.is_file():
                self._files.write(path.relative_to(self.folder).as_posix(), path.read_bytes())
        return f"{self.address}/{name}"

    @property
    def _files(self) -> Files:
        return Files(self.address)

    def _is_owner(self) -> bool:
        return self._owns is not None and self._owns.holds(self._files)

    @property
    def _number(self) -> int:
        return self._owns.number if self._owns else 0

    def _put_in_place(self, claim: Claim, kind: str) -> None:
        """Let what was made here be the scratch's copy of what is recorded."""
        made, place = self.work_folder(claim), self.folder / kind / claim.key
        if made.exists():
            shutil.rmtree(place, ignore_errors=True)
            place.parent.mkdir(parents=True, exist_ok=True)
            made.rename(place)

    def _clear(self, kind: str, key: str, record: Record) -> None:
        """Remove deliveries of this runner and earlier ones that the record does not name."""
        named = _folder(record)
        for name in self._files.names(f"{kind}/{key}"):
            found = _DELIVERY.fullmatch(name)
            if found and int(found["number"]) <= self._number and found["folder"] != named:
                self._files.remove(f"{kind}/{key}/{name}")

    def _fetch(self, folder: str, sums: Mapping[str, str], place: Path) -> None:
        """Fetch all files that a record names in a folder at the address, or none."""
        sweep(place)
        beside = place.with_name(f".{place.name}.{secrets.token_hex(8)}")
        try:
            for name, checksum in sums.items():
                write_bytes(beside / name, self._content(f"{folder}/{name}", checksum))
            shutil.rmtree(place, ignore_errors=True)
            with suppress(OSError):  # another process of this machine has put it there
                beside.rename(place)
        finally:
            shutil.rmtree(beside, ignore_errors=True)

    def _content(self, name: str, checksum: str) -> bytes:
        place, record = f"{self.address}/{name}", f"{self.address}/{RECORDS}/{name.split('/')[1]}"
        again = f"Delete {record} and start again: it is made again."
        try:
            content = self._files.read(name)
        except FileNotFoundError as error:
            raise ValueError(f"{place} is not there. {again}") from error
        if checksum != hashlib.sha256(content).hexdigest():
            raise ValueError(f"{place} is damaged: it does not match its checksum. {again}")
        return content


def _folder(record: Record) -> str:
    """The folder at the address that a record names."""
    return plain_name(record["delivered"]["folder"], "the folder of a record")


def _sums(record: Record) -> dict[str, str]:
    """The checksums of the files that a record names."""
    files = record["delivered"]["files"]
    return {plain_name(name, "a file of a record"): value for name, value in files.items()}


def _has_sum(path: Path, checksum: str) -> bool:
    return path.is_file() and sha256(path) == checksum
