"""The local files that a data set is read from: where they are, and how they are read."""

import gzip
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from gordium.files import cache_folder

DATA = "GORDIUM_DATA"
FETCHED = "data"  # a folder in the cache folder


def data_folder() -> Path:
    """The folder in which the user keeps official files: GORDIUM_DATA."""
    return Path(os.environ.get(DATA, f"${DATA}"))


def locate_fetched() -> Path:
    """The folder into which `fetch` downloads official files."""
    return cache_folder() / FETCHED


def find(
    names: Sequence[str],
    path: str | Path | None,
    *,
    below: Sequence[str] = (),
    others: Sequence[str] = (),
) -> list[Path]:
    """Find files with these names, packed (.gz) or not, all in one folder.

    The folder is `path`; without it, the folder GORDIUM_DATA, the one that `fetch` downloads to,
    or one of `others`. Subfolders `below` are searched too. A single file may be `path` itself.
    """
    if path is not None and len(names) == 1 and Path(path).is_file():
        return [Path(path).absolute()]
    usual = (data_folder(), locate_fetched(), *map(Path, others))
    roots = usual if path is None else (Path(path),)
    for folder in [root / name for root in roots for name in (*below, "")]:
        found = [_plain_or_packed(folder / name) for name in names]
        if all(found):
            return [cast(Path, file).absolute() for file in found]
    what = names[0] if len(names) == 1 else f"files {', '.join(names)} together"
    folders = f" (nor in its {', '.join(below)})" if below else ""
    raise FileNotFoundError(
        f"there is no {what} in {' or '.join(map(str, roots))}{folders}. `gordium datasets fetch` "
        "gets it, or put what you have into a folder and give the folder as path=, or its name in "
        f"the variable {DATA}."
    )


def _plain_or_packed(path: Path) -> Path | None:
    packed = path.with_name(f"{path.name}.gz")
    return next((file for file in (path, packed) if file.is_file()), None)


def open_file(path: Path) -> IO[bytes]:
    """Open a file for reading; it is unpacked on the way if it is packed by gzip."""
    with path.open("rb") as file:
        is_packed = file.read(2) == b"\x1f\x8b"
    return cast(IO[bytes], gzip.open(path)) if is_packed else path.open("rb")


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


@contextmanager
def name_errors(path: Path) -> Iterator[None]:
    """Turn every error in the block into a ValueError that names the file.

    The readers of NumPy, HDF5 and archives raise errors of all kinds on damaged files.
    """
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        if isinstance(error, ValueError) and str(path) in str(error):
            raise
        raise ValueError(
            f"{path} cannot be read ({error}). It is cut short or damaged: fetch it again."
        ) from error
