"""SmallNORB: photographs of toys (LeCun et al., 2004), read from the published files."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import prod
from pathlib import Path
from typing import IO, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from gordium.datasets.base import Images
from gordium.datasets.readers import local_files
from gordium.datasets.readers.digests import content_digest, states
from gordium.datasets.readers.local_files import name_errors
from gordium.datasets.readers.official import OfficialFile, check_digest
from gordium.datasets.readers.reader import Reader, gather, resize
from gordium.factors import Factor, Integers, index_of
from gordium.progress import progress

GRID = (5, 10, 9, 18, 6)
PIXELS = (96, 96)
CAMERAS = 2  # the first one is used
PARTS = (
    "smallnorb-5x46789x9x18x6x2x96x96-training",
    "smallnorb-5x01235x9x18x6x2x96x96-testing",
)
BYTES, INTEGERS = 507333717, 507333716  # a file's first number, which says what it holds
# SHA-256 of the files of images in PARTS; none was published for the files of labels.
DIGESTS = {
    ".gz": (
        "5ffd6272a07d32695ee1082a26a41a93a37aab8c28da047f8c34ed348d214873",
        "cf7104eed3e51174d2f65b66d1e5878b9da233b886f161b0d88f4510ba2c7474",
    ),
    ".mat": (
        "4813bf104d229583fea8ed57fdc3e9258c927b8dfb43d75412e854a7a9588067",
        "2b1de646c57ffdc259b8fb973a6453e90915248a8fdb4d9df948786bdae72b34",
    ),
}
CHUNK = 100


@final
@dataclass(frozen=True)
class SmallNORB(Reader):
    """48 600 grey images of 50 toys, from the training and the testing files together.

    Factors are category (animal, human, airplane, truck, car), the instance within it,
    elevation, azimuth and lighting. Images are the left camera's, shrunk from 96x96 (Lanczos).
    `path` is the folder of the six files, as published or unpacked.
    """

    name: ClassVar[str] = "smallnorb"
    wanted: ClassVar[str] = "smallnorb-5x*.mat.gz"
    channels: ClassVar[int] = 1

    def find(self) -> list[Path]:
        names = [f"{part}-{what}.mat" for what in ("dat", "cat", "info") for part in PARTS]
        return local_files.find(names, self.path, below=("norb-v1.0-small", "smallnorb"))

    def check(self) -> str:
        if self.verify:
            for which, file in enumerate(self.files[:2]):
                digest = DIGESTS[file.suffix][which]
                check_digest(file, OfficialFile(file.name, "sha256", digest))
        labels = content_digest(self.files[2:])
        return f"official files smallnorb-5x, labels sha256 {labels}"

    @classmethod
    def grid(cls) -> tuple[Factor, ...]:
        kinds = ("nominal", "nominal", "ordered", "circular", "nominal")
        names = ("category", "instance", "elevation", "azimuth", "lighting")
        return tuple(Factor(*of) for of in zip(names, GRID, kinds, strict=True))  # type: ignore[arg-type]

    def render(self, indices: Integers) -> Images:
        table = self.load_table(_images, (len(self), *self.image_shape), self.size)
        rows = _rows_of(self.files[2:], str(states(self.files)), self.factors)
        return gather(table, rows[indices])


@cache
def _rows_of(files: tuple[Path, ...], state: str, factors: tuple[Factor, ...]) -> Integers:
    """The row of the files that holds the image of each grid index."""
    n = prod(GRID) // len(PARTS)
    categories = np.concatenate([matrix(file, INTEGERS, (n,)) for file in files[:2]])
    infos = np.concatenate([matrix(file, INTEGERS, (n, 4)) for file in files[2:]])
    values = np.column_stack([categories, infos]).astype(np.int64)
    if (values[:, 3] % 2).any():
        raise ValueError(f"{files[2]} must hold even azimuths, 0 to 34: it is another file.")
    values[:, 3] //= 2
    try:
        indices = index_of(factors, values)
    except IndexError as error:
        raise ValueError(f"{files[0]} and {files[2]} have labels out of range: {error}") from error
    if len(np.unique(indices)) != prod(GRID):
        raise ValueError(
            f"the labels in {files[0].parent} name only {len(np.unique(indices)):,} of "
            f"{prod(GRID):,} images: files are mixed up. Fetch them again."
        )
    return np.argsort(indices)


def _images(files: tuple[Path, ...], size: int) -> Iterator[Images]:
    """The images (n, 1, size, size) in the order of the first two files."""
    n = prod(GRID) // len(PARTS)
    with progress("reading SmallNORB", prod(GRID)) as advance:
        for file in files[:2]:
            with name_errors(file), local_files.open_file(file) as content:
                _check_header(file, content, BYTES, (n, CAMERAS, *PIXELS))
                for start in range(0, n, CHUNK):
                    count = min(CHUNK, n - start)
                    block = local_files.read_exactly(content, count * CAMERAS * prod(PIXELS))
                    pairs = np.frombuffer(block, np.uint8).reshape(count, CAMERAS, *PIXELS, 1)
                    yield resize(pairs[:, 0], size)
                    advance(count)
                local_files.check_ended(file, content)


def matrix(file: Path, magic: int, shape: tuple[int, ...]) -> NDArray[np.int32]:
    """Read the little-endian integers of a binary matrix file."""
    with name_errors(file), local_files.open_file(file) as content:
        _check_header(file, content, magic, shape)
        values = np.frombuffer(local_files.read_exactly(content, 4 * prod(shape)), "<i4").reshape(
            shape
        )
        local_files.check_ended(file, content)
    return values


def _check_header(file: Path, content: IO[bytes], magic: int, shape: tuple[int, ...]) -> None:
    """Check the magic number, the number of axes, and the sizes, of which there are at least 3."""
    found, axes = np.frombuffer(local_files.read_exactly(content, 8), "<i4").tolist()
    if (found, axes) != (magic, len(shape)):
        raise ValueError(
            f"{file} must start with {magic} and {len(shape)} axes; it starts with {found} and "
            f"{axes}. This is not the published file."
        )
    sizes = np.frombuffer(local_files.read_exactly(content, 4 * max(3, axes)), "<i4").tolist()
    if tuple(sizes[:axes]) != shape:
        raise ValueError(f"{file} must hold {shape}; it holds {tuple(sizes[:axes])}.")
