"""Images in HDF5 files: read in place, or copied to the cache once where that is too slow."""

from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from gordium.datasets.base import Images
from gordium.datasets.disk_cache import load_once
from gordium.datasets.readers.digests import key, states
from gordium.datasets.readers.local_files import name_errors
from gordium.datasets.readers.official import OfficialFile, check_array
from gordium.datasets.readers.reader import gather
from gordium.factors import Integers
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
    """Read images (n, c, h, w) in the order of `indices`.

    If chunks hold many images, all of which are unpacked to read one, they are copied first.
    """
    table = images = open_h5(path, file)
    if images.chunks is not None and images.chunks[0] > FEW:
        name = f"{path.stem}-{key(states([path]))}"
        copied = load_once(name, file.shape, partial(_rows, path, images))
        table = images if copied is None else copied
    with name_errors(path):
        found = gather(table, indices)
    return np.ascontiguousarray(found.transpose(0, 3, 1, 2))


def _rows(path: Path, images: Any) -> Iterator[Images]:
    """Read whole chunks one after another, so that each is unpacked once."""
    step = max(1, ROWS // images.chunks[0]) * images.chunks[0]
    with name_errors(path), progress(f"unpacking {path.name}", len(images)) as advance:
        for start in range(0, len(images), step):
            block = images[start : start + step]
            yield block
            advance(len(block))
