"""Rendered tables kept in the user's cache folder, made once and memory-mapped from then on."""

import os
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gordium.files import cache_folder, write_whole

Array = NDArray[Any]
Rows = Callable[[], Iterable[Array]]


def load_cached(
    name: str, shape: tuple[int, ...], dtype: type[np.generic], rows: Rows
) -> Array | None:
    """The table called `name`, from the cache folder if it is sound there, else made anew.

    `rows` makes it: consecutive chunks along the first axis. None if the folder is not writable.
    """
    path = cache_folder() / f"{name}.npy"
    table = _sound(path, shape, np.dtype(dtype))
    if table is None:
        try:
            _write(path, shape, np.dtype(dtype), rows())
            table = np.load(path, mmap_mode="r")
        except OSError:
            return None
    return np.asarray(table)  # still mapped, without the cost of the memmap class at each use


def load_or_render(
    name: str, shape: tuple[int, ...], rows: Rows, dtype: type[np.generic] = np.uint8
) -> Array:
    """The table that is `kept`; in memory where the cache folder is not writable."""
    table = load_cached(name, shape, dtype, rows)
    return np.concatenate(list(rows())).reshape(shape) if table is None else table


def _write(path: Path, shape: tuple[int, ...], dtype: np.dtype[Any], rows: Iterable[Array]) -> None:
    """A .npy file, then four bytes of checksum: NumPy does not read that far.

    Written, not mapped: on a full disk a mapped file ends the process without a word.
    """
    header = {"descr": dtype.str, "fortran_order": False, "shape": shape}
    checksum = 0
    with write_whole(path) as beside, beside.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        for chunk in rows:
            content = np.ascontiguousarray(chunk, dtype).data
            file.write(content)
            checksum = zlib.crc32(content, checksum)
        file.write(checksum.to_bytes(4, "big"))


def _sound(path: Path, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array | None:
    """The table in `path`, or None when it is absent, damaged or not what is wanted."""
    try:
        table = np.load(path, mmap_mode="r", allow_pickle=False)
        with path.open("rb") as file:
            file.seek(-4, os.SEEK_END)
            checksum = file.read()
    except (OSError, ValueError, EOFError):
        return None
    if (table.shape, table.dtype) != (shape, dtype):
        return None
    return table if zlib.crc32(table.data).to_bytes(4, "big") == checksum else None
