"""Official data files: where they are, and whether they are the published ones."""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gordium.datasets.published import RENDERED
from gordium.files import cache_folder, digest, find_cached, read_json, write_json
from gordium.progress import progress

DATA = "GORDIUM_DATA"
FETCHED = "data"  # a folder in the cache folder


class OfficialFile(NamedTuple):
    """A published file: its name, its digest, and its array of images."""

    name: str
    algorithm: str  # "sha256", "md5", or "git blob" for the hash by which Git names the content
    digest: str
    key: str
    shape: tuple[int, ...]

    @property
    def source(self) -> str:
        """The `source` of a data set that reads this file."""
        return f"official file {self.name}"

    @property
    def size(self) -> int:
        """How many pixels an image has on a side."""
        return self.shape[1]


def check_official(
    path: Path | None,
    file: OfficialFile,
    try_to_open: Callable[[Path, OfficialFile], object],
    *,
    verify: bool,
) -> str:
    """Check the file at `path` and return its source; without a path, return `RENDERED`."""
    if path is None:
        return RENDERED
    try_to_open(path, file)
    if verify:
        check_digest(path, file)
    return file.source


def locate(file: OfficialFile, size: int, path: str | Path | None, source: str) -> Path | None:
    """Find the official file to use; None stands for rendered images.

    `path` and `source` are what the user asked for. Without them, the file is used if it is in
    the folder GORDIUM_DATA or was downloaded, and has images of the wanted size.
    """
    if source not in ("", RENDERED, file.source):
        raise ValueError(f"source must be {RENDERED!r} or {file.source!r}; got {source!r}.")
    if path is not None and source == RENDERED:
        raise ValueError(f"path is for {file.source!r}; leave it out for rendered images.")
    if source == RENDERED:
        return None
    fits = size == file.size
    if not fits and (path is not None or source):
        raise ValueError(
            f"size must be {file.size}, the size of the images in {file.name}; got {size}. "
            "Leave path out for rendered images, which come in any size."
        )
    if path is not None:
        return _check_exists(Path(path), file)
    for folder in (data_folder(), locate_fetched()):
        if fits and (folder / file.name).is_file():
            return _check_exists(folder / file.name, file)
    return _check_exists(data_folder() / file.name, file) if source else None


def data_folder() -> Path:
    """The folder in which the user keeps official files: GORDIUM_DATA."""
    return Path(os.environ.get(DATA, f"${DATA}"))


def locate_fetched() -> Path:
    """The folder into which `fetch` downloads official files."""
    return cache_folder() / FETCHED


def _check_exists(path: Path, file: OfficialFile) -> Path:
    if not path.is_file():
        raise FileNotFoundError(
            f"there is no file {path}. Give the path of {file.name} as path=, or put the file "
            "into a folder and name that folder in the variable GORDIUM_DATA."
        )
    return path.absolute()


def check_digest(path: Path, file: OfficialFile) -> None:
    """Raise ValueError unless the content is the published one.

    The result is remembered, so that a file is read again only after it has changed.
    """
    state = path.stat()
    seen = [str(path), state.st_size, state.st_mtime_ns, file.digest]
    record = cache_folder() / f"verified-{file.name}.json"
    if read_record(record) == seen:
        return
    found = digest_of(path, file.algorithm)
    if found != file.digest:
        raise ValueError(
            f"{path} is not the published {file.name}: its {file.algorithm} is {found} and must "
            f"be {file.digest}. Fetch it again; if you mean to use it as it is, set verify=False."
        )
    with suppress(OSError):  # not remembered, so it is checked again at the next start
        write_json(record, seen)


def list_records() -> Iterator[Path]:
    """What is remembered in the cache folder of files that were checked."""
    for path in find_cached("", r"verified-.+\.json"):
        found = read_record(path)
        if isinstance(found, list) and [type(part) for part in found] == [str, int, int, str]:
            yield path


def read_record(record: Path) -> Any:
    """Read a JSON file; None if it is absent or damaged."""
    try:
        return read_json(record)
    except (OSError, ValueError):
        return None


def digest_of(path: Path, algorithm: str) -> str:
    """Hash a file's content, with a progress line."""
    size = path.stat().st_size
    start = hashlib.new(algorithm if algorithm != "git blob" else "sha1", usedforsecurity=False)
    if algorithm == "git blob":
        start.update(b"blob %d\0" % size)
    with progress(f"checking {path.name}", size) as advance:
        return digest(path, start, on_block=advance)


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


def check_array(path: Path, file: OfficialFile, shape: tuple[int, ...], dtype: object) -> None:
    """Refuse an array that is not the published one."""
    if shape != file.shape or dtype != np.uint8:
        raise ValueError(
            f"{path} must hold {file.key!r} as uint8 {file.shape}; it holds {dtype} {shape}. "
            f"This is not {file.name}."
        )
