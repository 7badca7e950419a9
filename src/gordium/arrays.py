"""Types of arrays, and arrays of NumPy archives.

Archives are read whole, so that checksums are verified, and never unpickled.
"""

import io
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_UNPACKED, _PACKED = 2**28, 50  # a file may unpack to so many bytes, or so many times its size


def list_arrays(path: Path) -> list[str]:
    """The names of the arrays in an archive; a damaged file is a ValueError that names it.

    So is a small file that would unpack to so much that it could fill the memory.
    """
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}.")
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    except Exception as error:
        raise ValueError(f"{path} is damaged: {error}. Write it again.") from error
    unpacked, size = sum(member.file_size for member in members), path.stat().st_size
    if unpacked > max(_UNPACKED, _PACKED * size):
        raise ValueError(
            f"{path} would unpack to {unpacked / 1e9:.1f} GB, {unpacked // size} "
            "times its size; codes and labels never do. Write it again with numpy.savez."
        )
    return [member.filename.removesuffix(".npy") for member in members]


def read_arrays(path: Path, names: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Read the arrays of these names; a damaged file is a ValueError that names it."""
    list_arrays(path)  # an error if it cannot be read
    return {name: read_array(path, name) for name in names}


def read_array(path: Path, name: str) -> NDArray[Any]:
    """Read one array; a damaged array is a ValueError, and so is one of Python objects."""
    try:
        with zipfile.ZipFile(path) as archive:
            content = io.BytesIO(archive.read(f"{name}.npy"))
        array: NDArray[Any] = np.lib.format.read_array(content, allow_pickle=False)
        if content.read(1):
            raise ValueError("it holds more than it says")
    except Exception as error:  # zip files meet damage with errors of all kinds
        if "allow_pickle" in str(error):
            raise ValueError(
                f"{name} in {path} holds Python objects, which are not loaded because that can "
                "run code; convert it to an array of numbers and write it again."
            ) from error
        raise ValueError(f"{name} in {path} is damaged: {error}. Write it again.") from error
    return array
