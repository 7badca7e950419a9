"""MPI3D: a robot arm holds an object (Gondal et al., 2019), read from the published files."""

from abc import ABC
from dataclasses import dataclass
from functools import cache, partial
from math import prod
from pathlib import Path
from typing import ClassVar, final

import numpy as np

from gordium.datasets.base import Images
from gordium.datasets.disk_cache import Array, load_cached
from gordium.datasets.readers import npz
from gordium.datasets.readers.digests import key, states
from gordium.datasets.readers.local_files import find
from gordium.datasets.readers.official import OfficialFile, check_digest
from gordium.datasets.readers.reader import Reader, average_blocks, check_divides, gather
from gordium.factors import Factor, Integers
from gordium.files import cache_folder

# The first release had four colours and four shapes; the number of images tells which it is.
GRIDS = ((6, 6, 2, 3, 3, 40, 40), (4, 4, 2, 3, 3, 40, 40))
PIXELS = (64, 64, 3)


@dataclass(frozen=True)
class MPI3D(Reader, ABC):
    """1 036 800 images of an object in a robot's hand, by seven factors.

    Images of size 32 and 16 are means over blocks of pixels.
    """

    official: ClassVar[OfficialFile]
    channels: ClassVar[int] = PIXELS[2]

    def find(self) -> list[Path]:
        return find([self.official.name], self.path, below=("mpi3d",))

    def check(self) -> str:
        check_divides(self.size, PIXELS[0])
        _grid(self.file, str(states(self.files)))
        if self.verify:
            check_digest(self.file, self.official)
        return self.official.source

    @classmethod
    def grid(cls) -> tuple[Factor, ...]:
        return _factors(GRIDS[0])

    @property
    def factors(self) -> tuple[Factor, ...]:
        return _factors(_grid(self.file, str(states(self.files))))

    def render(self, indices: Integers) -> Images:
        table = _table(self.file, str(states(self.files)), cache_folder())
        return average_blocks(gather(table, indices), self.size)


@final
@dataclass(frozen=True)
class MPI3DToy(MPI3D):
    __doc__ = f"Simple renderings. {MPI3D.__doc__}"
    name = "mpi3d-toy"
    official = OfficialFile("mpi3d_toy.npz", "md5", "55889cb7c7dfc655d6e0277beee88868")
    wanted = official.name


@final
@dataclass(frozen=True)
class MPI3DRealistic(MPI3D):
    __doc__ = f"Realistic renderings. {MPI3D.__doc__}"
    name = "mpi3d-realistic"
    official = OfficialFile("mpi3d_realistic.npz", "md5", "59a6225b88b635365f70c91b3e52f70f")
    wanted = official.name


@final
@dataclass(frozen=True)
class MPI3DReal(MPI3D):
    __doc__ = f"Photographs. {MPI3D.__doc__}"
    name = "mpi3d-real"
    official = OfficialFile("mpi3d_real.npz", "md5", "0f33f609918fb5c97996692f91129802")
    wanted = official.name


def _factors(sizes: tuple[int, ...]) -> tuple[Factor, ...]:
    colour, shape, size, camera, background, horizontal, vertical = sizes
    return (
        Factor("object_color", colour, "nominal"),
        Factor("object_shape", shape, "nominal"),
        Factor("object_size", size),
        Factor("camera_height", camera),
        Factor("background_color", background, "nominal"),
        Factor("horizontal_axis", horizontal),
        Factor("vertical_axis", vertical),
    )


@cache
def _grid(file: Path, state: str) -> tuple[int, ...]:
    """The sizes of the factors, which the number of images tells; ValueError for another number."""
    shape, dtype, is_fortran = npz.headers(file, "images")["images"]
    grids = {prod(grid): grid for grid in GRIDS}
    if shape[1:] != PIXELS or shape[0] not in grids or dtype != np.uint8 or is_fortran:
        kind = f"Fortran-ordered {dtype}" if is_fortran else dtype
        raise ValueError(
            f"{file} must hold 'images' as uint8 (n, 64, 64, 3) with n one of "
            f"{', '.join(map(str, grids))}; it holds {kind} {shape}. This is not MPI3D."
        )
    return grids[shape[0]]


@cache
def _table(file: Path, state: str, folder: Path) -> Array:
    """The images (n, 64, 64, 3), mapped from the file or from a copy in the cache `folder`."""
    table = npz.map_array(file, "images")
    if table is None:
        shape = (prod(_grid(file, state)), *PIXELS)
        rows = partial(npz.rows, file, "images")
        table = load_cached(f"mpi3d-{key(file, state)}", shape, np.uint8, rows)
        if table is None:
            raise OSError(
                f"{file} is compressed, and it cannot be unpacked into the cache folder {folder}: "
                f"it needs {prod(shape):,} bytes. Free some, or name another folder in "
                "GORDIUM_CACHE."
            )
    return np.asarray(table)
