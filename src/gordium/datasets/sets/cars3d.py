"""Cars3D: renderings of car models (Reed et al., 2015), read from the published files."""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, ClassVar, final

from gordium.datasets.base import Images
from gordium.datasets.readers.archives import walk_archive
from gordium.datasets.readers.digests import content_digest
from gordium.datasets.readers.local_files import data_folder, locate_fetched, name_errors
from gordium.datasets.readers.official import OfficialFile, check_digest
from gordium.datasets.readers.reader import Reader, resize
from gordium.factors import Factor, Integers
from gordium.progress import progress

CARS = 183
SHAPE = (128, 128, 3, 24, 4)  # of one car: height, width, channel, azimuth, elevation
MESH = re.compile(r"car_\d+_mesh\.mat")
MOST_BYTES = 1 << 25  # the largest .mat file that is read
MOST_UNPACKED = 1 << 35  # an archive that unpacks to more bytes is refused


@final
@dataclass(frozen=True)
class Cars3D(Reader):
    """17 568 images of 183 cars from 24 azimuths and 4 elevations; the car changes fastest.

    `path` is the archive or a folder of car_NNN_mesh.mat files; cars are in the order of the
    file names. Images are shrunk from 128x128 (Lanczos).
    """

    name: ClassVar[str] = "cars3d"
    official: ClassVar[OfficialFile] = OfficialFile(
        "nips2015-analogy-data.tar.gz", "md5", "4e866a7919c1beedf53964e6f7a23686"
    )
    wanted: ClassVar[str] = official.name
    channels: ClassVar[int] = 3

    def find(self) -> list[Path]:
        own = (data_folder(), locate_fetched())
        places = own if self.path is None else (Path(self.path),)
        for place in places:
            for file in (place, place / self.official.name):
                if file.is_file():
                    return [file.absolute()]
            for folder in (place, place / "cars", place / "data" / "cars"):
                if found := sorted(f for f in folder.glob("car_*_mesh.mat") if f.is_file()):
                    return [file.absolute() for file in found]
        raise FileNotFoundError(
            f"there is no {self.official.name} and no car_NNN_mesh.mat in "
            f"{' or '.join(map(str, places))}. `gordium datasets fetch cars3d` gets it; or give "
            "the archive, or a folder of the .mat files in it, as path=; or put it into a folder "
            "and name that folder in the variable GORDIUM_DATA."
        )

    def check(self) -> str:
        if self.file.suffix == ".mat":
            check_count(len(self.files), self.file.parent)
            return f"files car_*_mesh.mat, sha256 {content_digest(self.files)}"
        if self.verify:
            check_digest(self.file, self.official)
        return self.official.source

    @classmethod
    def grid(cls) -> tuple[Factor, ...]:
        return (
            Factor("elevation", SHAPE[4]),
            Factor("azimuth", SHAPE[3], "circular"),
            Factor("car", CARS, "nominal"),
        )

    def render(self, indices: Integers) -> Images:
        elevation, azimuth, car = self.factors_at(indices).T
        shape = (CARS, SHAPE[4], SHAPE[3], *self.image_shape)
        return self.load_table(_rows, shape, self.size)[car, elevation, azimuth]


def check_count(found: int, place: Path) -> None:
    """Refuse a place that does not hold all cars."""
    if found != CARS:
        raise ValueError(f"{place} must hold {CARS} files car_NNN_mesh.mat; it holds {found}.")


def _rows(files: tuple[Path, ...], size: int) -> Iterator[Images]:
    cars = {}
    with progress("reading Cars3D", CARS) as advance:
        for name, found in views(files):
            ordered = found.transpose(4, 3, 0, 1, 2)
            cars[name] = resize(ordered.reshape(-1, *SHAPE[:3]), size)
            advance(1)
    check_count(len(cars), files[0])
    for name in sorted(cars):
        yield cars[name]


def views(files: tuple[Path, ...]) -> Iterator[tuple[str, Images]]:
    """The file name and the views of each car."""
    is_archive = files[0].suffix != ".mat"
    place = files[0] if is_archive else files[0].parent
    loose = ((file.name, io.BytesIO(file.read_bytes())) for file in files)
    for name, content in _read_archive(place) if is_archive else loose:
        yield name, read_mesh(f"{name} in {place}", content)


def _read_archive(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """The files of the cars in the archive; nothing is unpacked to the disk."""
    with name_errors(path):
        for name, size, open_member in walk_archive(path, MOST_UNPACKED):
            if not MESH.fullmatch(name):
                continue
            if size > MOST_BYTES:
                raise ValueError(f"{name} in {path} has {size:,} bytes, too many for a car.")
            if content := open_member():  # None for a link
                yield name, io.BytesIO(content.read())


def read_mesh(name: str, content: IO[bytes]) -> Images:
    """Read the views of one car; the array's size is checked before it is unpacked."""
    from scipy.io import loadmat, whosmat  # only those who have the files wait for this import

    found: Any = None
    try:
        found = {variable: (shape, kind) for variable, shape, kind in whosmat(content)}
        if found.get("im") == (SHAPE, "uint8"):
            content.seek(0)
            return loadmat(content, variable_names=["im"])["im"]
    except Exception as error:  # the reader of MATLAB files raises errors of many kinds
        raise ValueError(f"{name} cannot be read as a MATLAB file ({error}).") from error
    raise ValueError(f"{name} must hold 'im' as uint8 {SHAPE}; it holds {found}.")
