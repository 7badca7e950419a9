"""Official data files: where they are, whether they are genuine, and reading their images."""

import hashlib
import os
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from gordium.datasets.base import Images
from gordium.datasets.published import RENDERED
from gordium.files import cache_folder, digest, read_json, write_json
from gordium.progress import progress

DATA = "GORDIUM_DATA"
ROWS = 4096  # images unpacked at once


class OfficialFile(NamedTuple):
    """A published file: its name, its digest, and its array of images."""

    name: str
    algorithm: str  # "sha256", "md5", or "git blob" for the name Git gives to the content
    digest: str
    key: str
    shape: tuple[int, ...]

    @property
    def source(self) -> str:
        """What a data set of this file says it comes from."""
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
    """The source of images: that of the official file, which is checked, or `RENDERED`."""
    if path is None:
        return RENDERED
    try_to_open(path, file)
    if verify:
        check_digest(path, file)
    return file.source


def locate(file: OfficialFile, size: int, path: str | Path | None, source: str) -> Path | None:
    """The official file to use, or None for rendered images.

    `path` and `source` are the user's wishes; without them the file is used if it is in the
    folder GORDIUM_DATA or was fetched, and has images of the wanted size.
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
    """Where the user keeps official files."""
    return Path(os.environ.get(DATA, f"${DATA}"))


def locate_fetched() -> Path:
    """Where official files are that were fetched by us."""
    return cache_folder() / "data"


def _check_exists(path: Path, file: OfficialFile) -> Path:
    if not path.is_file():
        raise FileNotFoundError(
            f"there is no file {path}. Give the path of {file.name} as path=, or put the file "
            "into a folder and that folder's name into the variable GORDIUM_DATA."
        )
    return path.absolute()


def check_digest(path: Path, file: OfficialFile) -> None:
    """Raise ValueError unless the content is the published one; a checked file is remembered."""
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


def read_record(record: Path) -> Any:
    """What was noted in `record`; None if it is absent or damaged."""
    try:
        return read_json(record)
    except (OSError, ValueError):
        return None


def digest_of(path: Path, algorithm: str) -> str:
    """The hash of a file's content."""
    size = path.stat().st_size
    start = hashlib.new(algorithm if algorithm != "git blob" else "sha1", usedforsecurity=False)
    if algorithm == "git blob":
        start.update(b"blob %d\0" % size)
    with progress(f"checking {path.name}", size) as advance:
        return digest(path, start, on_block=advance)


@contextmanager
def name_errors(path: Path) -> Iterator[None]:
    """What goes wrong inside becomes a ValueError that names the file.

    Readers of NumPy, HDF5 and archives meet damage with errors of all kinds.
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


def read_header(content: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Shape, order and type of a NumPy array whose file begins here; ValueError if none does."""
    version = np.lib.format.read_magic(content)
    if version == (1, 0):
        return np.lib.format.read_array_header_1_0(content)
    return np.lib.format.read_array_header_2_0(content)


@contextmanager
def open_npz(path: Path, file: OfficialFile) -> Iterator[IO[bytes]]:
    """The bytes of the images in a NumPy archive; nothing else in it is touched or unpickled."""
    with name_errors(path), zipfile.ZipFile(path) as archive:
        member = f"{file.key}.npy"
        if member not in archive.namelist():
            raise ValueError(f"{path} has no {file.key!r}; it has {', '.join(archive.namelist())}.")
        with archive.open(member) as content:
            shape, is_fortran, dtype = read_header(content)
            check_array(path, file, shape, "Fortran-ordered" if is_fortran else dtype)
            yield content


def try_npz(path: Path, file: OfficialFile) -> None:
    """Raise ValueError if the archive does not hold the images."""
    with open_npz(path, file):
        pass


def pack_rows(path: Path, file: OfficialFile) -> Iterator[Images]:
    """Chunks (n, h, bytes) of the 0/1 images in a NumPy archive, eight pixels to a byte."""
    n, *image = file.shape
    pixels = int(np.prod(image))
    with open_npz(path, file) as content, progress(f"unpacking {path.name}", n) as advance:
        for start in range(0, n, ROWS):
            wanted = min(ROWS, n - start) * pixels
            block = content.read(wanted)
            if len(block) < wanted:
                raise EOFError(f"{file.key} ends at image {start + len(block) // pixels}")
            values = np.frombuffer(block, np.uint8).reshape(-1, *image)
            if values.max() > 1:
                raise ValueError(f"{path} must hold pixels 0 and 1; it holds {values.max()}.")
            yield np.packbits(values, axis=2)
            advance(len(values))
