"""Hashes of files, which are remembered in the cache folder until a file changes."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from gordium.datasets.readers.local_files import name_errors, open_file
from gordium.files import cache_folder, digest, find_cached, read_json, sha256, write_json
from gordium.progress import progress

UNPACKED = "md5 of the unpacked content"  # an algorithm for files that are packed (.gz) or not
MOST_UNPACKED = 1 << 30


def key(*parts: object) -> str:
    """A short hash of files' states and options, for the name of a file in the cache."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def states(files: Sequence[Path]) -> list[list[object]]:
    """Path, size and time of change of each file: they tell a change without reading it."""
    return [[str(f), f.stat().st_size, f.stat().st_mtime_ns] for f in files]


def digest_of(path: Path, algorithm: str) -> str:
    """Hash a file's content, with a progress line; "git blob" is the hash that Git names it by."""
    if algorithm == UNPACKED:
        return _digest_unpacked(path)
    size = path.stat().st_size
    start = hashlib.new(algorithm if algorithm != "git blob" else "sha1", usedforsecurity=False)
    if algorithm == "git blob":
        start.update(b"blob %d\0" % size)
    with progress(f"checking {path.name}", size) as advance:
        return digest(path, start, on_block=advance)


def _digest_unpacked(path: Path) -> str:
    total, seen = 0, hashlib.md5(usedforsecurity=False)
    with name_errors(path), open_file(path) as content:
        while block := content.read(1 << 20):
            total += len(block)
            if total > MOST_UNPACKED:
                raise ValueError(f"{path} unpacks to over {MOST_UNPACKED:,} bytes: it is refused.")
            seen.update(block)
    return seen.hexdigest()


def content_digest(files: Sequence[Path]) -> str:
    """sha256 over names and contents, for files without a published hash; it is remembered."""

    def compute() -> str:
        total = hashlib.sha256()
        for file in files:
            with name_errors(file):
                total.update(f"{file.name} {sha256(file)}\n".encode())
        return total.hexdigest()

    return remember(files, "names and contents", compute)


def remember(files: Sequence[Path], what: str, compute: Callable[[], str]) -> str:
    """What `compute` finds in the files, which are read again only after one has changed."""
    seen = states(files)
    record = cache_folder() / f"digest-{key(what, *map(str, files))}.json"
    known = read_record(record)
    if isinstance(known, list) and len(known) == 2 and known[0] == seen:
        return str(known[1])
    found = compute()
    with suppress(OSError):  # not remembered, so it is read again at the next start
        write_json(record, [seen, found])
    return found


def read_record(record: Path) -> Any:
    """Read a JSON file; None if it is absent or damaged."""
    try:
        return read_json(record)
    except (OSError, ValueError):
        return None


def list_digests() -> Iterator[Path]:
    """The files in the cache folder in which hashes are remembered."""
    return find_cached("", r"digest-[0-9a-f]{16}\.json")
