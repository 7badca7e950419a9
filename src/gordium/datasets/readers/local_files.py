"""The local files that a data set is read from: finding, opening and hashing them."""

import gzip
import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, cast

from gordium.datasets.readers import official
from gordium.files import cache_folder, digest, find_cached, write_json


def find(
    names: Sequence[str],
    path: str | Path | None,
    *,
    below: Sequence[str] = (),
    others: Sequence[Path] = (),
) -> list[Path]:
    """Find files with these names, packed (.gz) or not, all in one folder.

    The folder is `path`; without it, the folder GORDIUM_DATA, the one that `fetch` downloads to,
    or one of `others`. Subfolders `below` are searched too. A single file may be `path` itself.
    """
    if path is not None and len(names) == 1 and Path(path).is_file():
        return [Path(path).absolute()]
    usual = (official.data_folder(), official.locate_fetched(), *others)
    roots = usual if path is None else (Path(path),)
    folders = [root / name for root in roots for name in (*below, "")]
    for folder in folders:
        found = [_plain_or_packed(folder / name) for name in names]
        if all(found):
            return [cast(Path, file).absolute() for file in found]
    raise FileNotFoundError(_describe_missing(names, roots, below))


def _plain_or_packed(path: Path) -> Path | None:
    packed = path.with_name(f"{path.name}.gz")
    return next((file for file in (path, packed) if file.is_file()), None)


def _describe_missing(names: Sequence[str], roots: Sequence[Path], below: Sequence[str]) -> str:
    what = names[0] if len(names) == 1 else f"files {', '.join(names)} together"
    folders = f" (nor in its {', '.join(below)})" if below else ""
    return (
        f"there is no {what} in {' or '.join(map(str, roots))}{folders}. `gordium datasets fetch` "
        "gets it, or put what you have into a folder and give the folder as path=, or its name in "
        f"the variable {official.DATA}."
    )


def open_file(path: Path) -> IO[bytes]:
    """Open a file for reading; it is unpacked on the way if its name ends in .gz."""
    return cast(IO[bytes], gzip.open(path)) if path.suffix == ".gz" else path.open("rb")


def read_exactly(content: IO[bytes], count: int) -> bytes:
    """Read `count` bytes; EOFError if the stream ends before."""
    found = content.read(count)
    if len(found) < count:
        raise EOFError(f"{count - len(found)} bytes are missing at its end")
    return found


def check_ended(path: Path, content: IO[bytes]) -> None:
    """Refuse a file that holds more than it declares, before all of it is unpacked."""
    if content.read(1):
        raise ValueError(f"{path} holds more than its first bytes declare: it is damaged.")


def key(*parts: object) -> str:
    """A short hash of files' states and options, for the name of a table in the cache."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def states(files: Sequence[Path]) -> list[list[object]]:
    """Path, size and time of change of each file: they tell a change without reading it."""
    return [[str(f), f.stat().st_size, f.stat().st_mtime_ns] for f in files]


def content_digest(files: Sequence[Path]) -> str:
    """sha256 over names and contents, for files without a published hash; it is remembered."""
    seen = states(files)
    record = cache_folder() / f"digest-{key(*[str(file) for file in files])}.json"
    known = official.read_record(record)
    if isinstance(known, list) and len(known) == 2 and known[0] == seen:
        return str(known[1])
    total = hashlib.sha256()
    for file in files:
        with official.name_errors(file):
            total.update(f"{file.name} {digest(file, hashlib.sha256())}\n".encode())
    with suppress(OSError):  # not remembered, so it is read again at the next start
        write_json(record, [seen, total.hexdigest()])
    return total.hexdigest()


def list_digests() -> Iterator[Path]:
    """What `content_digest` remembers in the cache folder."""
    return find_cached("", r"digest-[0-9a-f]{16}\.json")
