"""Rendered tables in the user's cache folder: written once, and memory-mapped from then on."""

import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gordium.files import cache_folder, find_cached, write_whole

Array = NDArray[Any]
Rows = Callable[[], Iterable[Array]]
_NAMES = r".+-([0-9]+-v[0-9]+|[0-9a-f]{16})\.npy"  # of a size and version, or of a file's state
_CHECKSUM_BYTES = 4
_loaded: dict[tuple[str, tuple[int, ...], Path], Array | None] = {}  # by name, shape and folder


def load_cached(
    name: str, shape: tuple[int, ...], dtype: type[np.generic], rows: Rows
) -> Array | None:
    """Load the table called `name` from the cache folder; write it first if needed.

    It is written if it is absent or damaged: `rows` gives consecutive chunks along the first axis.
    None if the folder cannot be written to.
    """
    path = cache_folder() / f"{name}.npy"
    table = _load_sound(path, shape, np.dtype(dtype))
    if table is None:
        try:
            _write(path, shape, np.dtype(dtype), rows())
            table = np.load(path, mmap_mode="r")
        except OSError:
            return None
    return np.asarray(table)  # still mapped, without the cost of the memmap class at each use


def load_once(
    name: str, shape: tuple[int, ...], rows: Rows, dtype: type[np.generic] = np.uint8
) -> Array | None:
    """As `load_cached`; a process loads a table once."""
    place = (name, shape, cache_folder())
    if place not in _loaded:
        _loaded[place] = load_cached(name, shape, dtype, rows)
    return _loaded[place]


def load_or_render(
    name: str, shape: tuple[int, ...], rows: Rows, dtype: type[np.generic] = np.uint8
) -> Array:
    """As `load_once`, but made in memory where the cache folder cannot be written to."""
    table = load_once(name, shape, rows, dtype)
    if table is None:
        table = np.concatenate(list(rows())).reshape(shape)
        _loaded[name, shape, cache_folder()] = table
    return table


def list_tables() -> Iterator[Path]:
    """The tables in the cache folder, known by their names and by the checksum at their end."""
    for path in find_cached("", _NAMES):
        if path.name.startswith(".") or len(_map(path)[1]) == _CHECKSUM_BYTES:
            yield path


def _write(path: Path, shape: tuple[int, ...], dtype: np.dtype[Any], rows: Iterable[Array]) -> None:
    """Write a .npy file, and after its content a checksum of four bytes, which NumPy ignores.

    The file is not written through a memory map: on a full disk that would kill the process.
    """
    header = {"descr": dtype.str, "fortran_order": False, "shape": shape}
    checksum = 0
    with write_whole(path) as beside, beside.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        for chunk in rows:
            content = np.ascontiguousarray(chunk, dtype).data
            file.write(content)
            checksum = zlib.crc32(content, checksum)
        file.write(checksum.to_bytes(_CHECKSUM_BYTES, "big"))


def _load_sound(path: Path, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array | None:
    """Map the table in `path`; None if it is absent, damaged or of another shape or type."""
    table, checksum = _map(path)
    if table is None or (table.shape, table.dtype) != (shape, dtype):
        return None
    return table if zlib.crc32(table.data).to_bytes(_CHECKSUM_BYTES, "big") == checksum else None


def _map(path: Path) -> tuple[Array | None, bytes]:
    """Map a .npy file; with it come the bytes after its content, or one more than a checksum."""
    try:
        table = np.load(path, mmap_mode="r", allow_pickle=False)
        with path.open("rb") as file:
            file.seek(table.offset + table.nbytes)
            return table, file.read(_CHECKSUM_BYTES + 1)
    except (OSError, ValueError, EOFError):
        return None, b""
