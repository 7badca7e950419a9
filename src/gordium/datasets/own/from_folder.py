"""A data set of pictures in a folder, with a table of their factors."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from gordium.datasets.base import Images, check_size
from gordium.datasets.collection import Content
from gordium.datasets.own.check_arrays import to_content
from gordium.datasets.own.columns import Meaning
from gordium.datasets.own.from_path import FromPath, check_bytes, name_place
from gordium.datasets.own.sidecar import read_sidecar, split_header
from gordium.datasets.readers.pictures import Mode, is_grey, open_picture, pixels
from gordium.progress import track


@final
@dataclass(frozen=True)
class FromFolder(FromPath):
    """Pictures and a CSV table: the first column names a file, each other column is a factor.

    The first line of the table holds the columns' names. Columns of whole numbers and of words
    become 0, 1, ... in their order; columns with other numbers are real factors. A kind may follow
    a name (`hue:circular`); kinds and labels may also be given in `factors.json` beside the table.
    Images have one channel if all pictures are grey, else three; with `size`, pictures are resized
    to squares of that many pixels (Lanczos). The table may also be a Parquet file.
    """

    name: ClassVar[str] = "from-folder"

    size: int | None = field(default=None, kw_only=True)
    table: str = field(default="factors.csv", kw_only=True)

    def read(self) -> Content:
        if self.size is not None:
            check_size(self.size)
        folder = Path(self.path)
        header, columns = read_table(folder / self.table)
        names, kinds = split_header(header)
        said = read_sidecar(folder / self.table)
        files = [_find_inside(folder, name) for name in columns[0]]
        images = _read_pictures(files, self.size)
        values = {name: _parse(column) for name, column in zip(names[1:], columns[1:], strict=True)}
        with name_place(folder / self.table):
            return to_content(images, values, None, Meaning({**kinds, **said.kinds}, said.labels))


def read_table(path: Path) -> tuple[list[str], list[tuple[str, ...]]]:
    """The names and the columns of a CSV or Parquet file, all as text."""
    if not path.is_file():
        raise FileNotFoundError(
            f"there is no table {path}. It must be a CSV file: a line of names, then for each "
            "picture a line with its file name and the values of its factors; or such a table as "
            "factors.parquet."
        )
    names, *lines = _read_parquet(path) if path.suffix == ".parquet" else _read_csv(path)
    if len(names) < 2 or len(set(names)) != len(names) or not lines:
        raise ValueError(
            f"{path} must have a line of at least two different names and a line for each "
            f"picture; it has the names {names} and {len(lines)} pictures."
        )
    for number, line in enumerate(lines, start=2):
        if len(line) != len(names):
            raise ValueError(
                f"line {number} of {path} has {len(line)} values; there are {len(names)} names."
            )
    return names, list(zip(*lines, strict=True))


def _read_csv(path: Path) -> list[list[str]]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            return [line for line in csv.reader(file, strict=True) if line] or [[]]
    except (csv.Error, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read as a CSV table ({error}).") from error


def _read_parquet(path: Path) -> list[list[str]]:
    import pandas  # slow to import, and needed nowhere else here

    try:
        frame = pandas.read_parquet(path)
    except ImportError as error:
        raise ModuleNotFoundError(
            f"{path} is a Parquet file; pip install 'gordium[parquet]' to read it."
        ) from error
    except (ValueError, OSError) as error:
        raise ValueError(f"{path} cannot be read as a Parquet table ({error}).") from error
    rows = zip(*(frame[name].tolist() for name in frame.columns), strict=True)
    return [list(map(str, frame.columns)), *(list(map(str, row)) for row in rows)]


def _find_inside(folder: Path, name: str) -> Path:
    """The path of a picture in the folder; a name that leads out of it is refused."""
    path = folder / name
    if "\0" in name or not path.resolve().is_relative_to(folder.resolve()):
        raise ValueError(f"the table names {name!r}, which is not inside {folder}: it is refused.")
    return path


def _read_pictures(files: Sequence[Path], size: int | None) -> Images:
    """Read uint8 (n, c, h, w); all sizes and colours are checked before any pixel is read."""
    seen = []
    for file in files:
        with open_picture(file) as picture:
            seen.append((picture.size, is_grey(picture)))
    first, _ = seen[0]
    if size is None:
        for file, (found, _) in zip(files, seen, strict=True):
            if found != first:
                raise ValueError(
                    f"{file} is {found[0]} x {found[1]} pixels and {files[0]} {first[0]} x "
                    f"{first[1]}: give size= to make all the same."
                )
    mode: Mode = "L" if all(grey for _, grey in seen) else "RGB"
    width, height = first if size is None else (size, size)
    shape = (len(files), 1 if mode == "L" else 3, height, width)
    check_bytes(files[0].parent, int(np.prod(shape, dtype=np.int64)))
    images = np.empty(shape, np.uint8)
    for file, place in zip(track("reading pictures", files), images, strict=True):
        with open_picture(file) as picture:
            place[:] = pixels(picture, mode, (width, height))
    return images


def _parse(column: Sequence[str]) -> NDArray[Any]:
    """Whole numbers if all values are such, else real numbers if all are, else words."""
    for kind in (np.int64, np.float64):
        try:
            return np.array([kind(value) for value in column])
        except (ValueError, OverflowError):
            continue
    return np.array(column, dtype=str)
