"""Rendered tables kept in the user's cache folder, made once and memory-mapped from then on."""

import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from gordium.files import cache_folder, written_whole

Table = NDArray[Any]


def kept(
    name: str, shape: tuple[int, ...], dtype: DTypeLike, fill: Callable[[Table], None]
) -> Table:
    """The table called `name`, from the cache folder if it is sound there, else made by `fill`.

    Raises OSError when the table can be neither read nor written.
    """
    path = cache_folder() / f"{name}.npy"
    table = _sound(path, shape, np.dtype(dtype))
    if table is None:
        with written_whole(path) as beside:
            made = np.lib.format.open_memmap(beside, "w+", dtype=np.dtype(dtype), shape=shape)
            fill(made)
            made.flush()
            with beside.open("ab") as file:
                file.write(_checksum(made))
        table = np.load(path, mmap_mode="r")
    return table


def _sound(path: Path, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Table | None:
    """The table in `path`, or None when it is absent, damaged or not what is wanted."""
    try:
        table = np.load(path, mmap_mode="r", allow_pickle=False)
        with path.open("rb") as file:
            file.seek(-4, os.SEEK_END)
            written = file.read()
    except (OSError, ValueError, EOFError):
        return None
    if (table.shape, table.dtype) != (shape, dtype) or _checksum(table) != written:
        return None
    return table


def _checksum(table: Table) -> bytes:
    """Four bytes that follow the table in its file; NumPy does not read that far."""
    return zlib.crc32(table).to_bytes(4, "big")
