"""Images in HDF5 files: read in place, or copied to the cache once where that is too slow."""

from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from gordium.datasets.base import Images
from gordium.datasets.disk_cache import Array, load_cached
from gordium.datasets.readers.local_files import key, states
from gordium.datasets.readers.official import OfficialFile, check_array, name_errors
from gordium.datasets.readers.reader import gather
from gordium.factors import Integers
from gordium.files import cache_folder
from gordium.progress import progress

FEW = 16  # a chunk of at most so many images may be unpacked to read one of them
ROWS = 1024


@cache
def open_h5(path: Path, file: OfficialFile) -> Any:
    """Open the images in an HDF5 file after a check of their shape; they stay on disk."""
    import h5py  # only those who have the file wait for this import

    with name_errors(path), ExitStack() as opened:
        content = opened.enter_context(h5py.File(path, "r"))
        if file.key not in content:
            raise ValueError(f"{path} has no {file.key!r}; it has {', '.join(content)}.")
        images = content[file.key]
        _check_inside(path, images)
        check_array(path, file, images.shape, images.dtype)
        opened.pop_all()  # nothing is wrong, so the file stays open
    return images


def _check_inside(path: Path, images: Any) -> None:
    """Refuse images that lie in other files: paths inside a file are never followed."""
    if images.file.filename != str(path) or images.external or images.is_virtual:
        raise ValueError(f"{path} refers to other files for its images; give a file that has them.")


def read_h5(path: Path, file: OfficialFile, indices: Integers) -> Images:
    """Read images (n, c, h, w) in the order of `indices`."""
    table = _unpack(path, file, str(states([path])), cache_folder())
    images = _read_in_place(path, file, indices) if table is None else gather(table, indices)
    return np.ascontiguousarray(images.transpose(0, 3, 1, 2))


def _read_in_place(path: Path, file: OfficialFile, indices: Integers) -> Images:
    """Read each row once and in rising order, as HDF5 demands, and put them in order then."""
    rows, places = np.unique(indices, return_inverse=True)
    if not len(rows):
        return np.empty((0, *file.shape[1:]), np.uint8)
    with name_errors(path):
        found: Images = open_h5(path, file)[rows][places]
    return found


@cache
def _unpack(path: Path, file: OfficialFile, state: str, folder: Path) -> Array | None:
    """Copy all images into the cache `folder`; None if that is not needed or not possible.

    It is needed if chunks hold many images, all of which are unpacked to read one of them.
    """
    images = open_h5(path, file)
    if images.chunks is None or images.chunks[0] <= FEW:
        return None
    name = f"{path.stem}-{key(path, state)}"
    return load_cached(name, file.shape, np.uint8, partial(_rows, path, images))


def _rows(path: Path, images: Any) -> Iterator[Images]:
    """Read whole chunks one after another, so that each is unpacked once."""
    step = max(1, ROWS // images.chunks[0]) * images.chunks[0]
    with name_errors(path), progress(f"unpacking {path.name}", len(images)) as advance:
        for start in range(0, len(images), step):
            block = images[start : start + step]
            yield block
            advance(len(block))
