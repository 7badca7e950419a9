"""Types of arrays, and arrays of NumPy archives.

Archives are read whole, so that checksums are verified, and never unpickled.
"""

import io
import zipfile
from collections.abc import Container, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_UNPACKED, _PACKED = 2**28, 50  # a file may unpack to so many bytes, or so many times its size


def read_arrays(path: Path, names: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Read the arrays of these names; a damaged file is a ValueError that names it."""
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}.")
    check_size(path)
    return {name: read_array(path, name) for name in names}


def has_array(path: Path, name: str, known: Container[str]) -> bool:
    """Whether an archive has an array of this name; it may hold none but those `known`.

    An unknown name is an error, because it may be the damaged name of an array that is wanted.
    """
    with zipfile.ZipFile(path) as archive:
        names = [member.removesuffix(".npy") for member in archive.namelist()]
    if unknown := [found for found in names if found not in known]:
        raise ValueError(f"{path} is damaged: it holds {unknown[0]!r}. Write it again.")
    return name in names


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


def check_size(path: Path) -> None:
    """Refuse a small file that would unpack to so much that it could fill the memory."""
    try:
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
    except Exception as error:
        raise ValueError(f"{path} is damaged: {error}. Write it again.") from error
    if unpacked > max(_UNPACKED, _PACKED * path.stat().st_size):
        raise ValueError(
            f"{path} would unpack to {unpacked / 1e9:.1f} GB, {unpacked // path.stat().st_size} "
            "times its size; codes and labels never do. Write it again with numpy.savez."
        )
