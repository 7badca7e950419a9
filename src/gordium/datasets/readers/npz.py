"""Arrays in NumPy archives, checked before they are read; nothing is ever unpickled."""

import zipfile
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gordium.datasets.readers.local_files import name_errors, read_exactly

ROWS = 4096


class Header(NamedTuple):
    """What an archive says about one of its arrays."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    is_fortran: bool

    @property
    def size(self) -> int:
        """How many bytes the array takes."""
        return prod(self.shape) * self.dtype.itemsize


def headers(path: Path, *needed: str) -> dict[str, Header]:
    """The names, shapes and types of an archive's arrays; ValueError if one `needed` is absent."""
    found = {}
    with name_errors(path), zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.endswith(".npy"):
                with archive.open(name) as content:
                    header = _read_header(path, name, content)
                if header.size > archive.getinfo(name).file_size and not header.dtype.hasobject:
                    raise EOFError(f"{name} declares more than is there")
                found[name.removesuffix(".npy")] = header
    for key in needed:
        if key not in found:
            raise ValueError(f"{path} has no {key!r}; it has {', '.join(found) or 'no arrays'}.")
    return found


def _read_header(path: Path, name: str, content: IO[bytes]) -> Header:
    try:
        if np.lib.format.read_magic(content) == (1, 0):
            shape, is_fortran, dtype = np.lib.format.read_array_header_1_0(content)
        else:
            shape, is_fortran, dtype = np.lib.format.read_array_header_2_0(content)
    except ValueError as error:
        raise ValueError(f"{name} in {path} is not a NumPy array ({error}).") from error
    return Header(shape, dtype, is_fortran)


def map_array(path: Path, key: str) -> NDArray[Any] | None:
    """Map the array where it lies in the archive; None if it is compressed there."""
    with name_errors(path), zipfile.ZipFile(path) as archive:
        entry = archive.getinfo(f"{key}.npy")
        if entry.compress_type != zipfile.ZIP_STORED:
            return None
        with path.open("rb") as file:
            file.seek(entry.header_offset + 26)  # here are the lengths of what precedes the array
            name, extra = np.frombuffer(read_exactly(file, 4), "<u2").tolist()
            file.seek(name + extra, 1)
            header = _read_header(path, key, file)
            start = file.tell()
        if start + header.size > path.stat().st_size:
            raise EOFError(f"{key} is cut short")
        return np.memmap(path, header.dtype, "r", start, header.shape)


def rows(path: Path, key: str) -> Iterator[NDArray[Any]]:
    """Read the array in chunks of consecutive rows."""
    with name_errors(path), zipfile.ZipFile(path) as archive, archive.open(f"{key}.npy") as content:
        shape, dtype, _ = _read_header(path, key, content)
        for start in range(0, shape[0], ROWS):
            part = (min(ROWS, shape[0] - start), *shape[1:])
            block = read_exactly(content, prod(part) * dtype.itemsize)
            yield np.frombuffer(block, dtype).reshape(part)
