"""Official data files: where they are, and whether they are the published ones."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from gordium.datasets.published import RENDERED
from gordium.datasets.readers.digests import digest_of, remember
from gordium.datasets.readers.local_files import data_folder, locate_fetched


class OfficialFile(NamedTuple):
    """A published file: its name, its digest if one was published, and its array of images."""

    name: str
    algorithm: str = ""  # as for `digest_of`
    digest: str = ""
    key: str = ""
    shape: tuple[int, ...] = ()

    @property
    def source(self) -> str:
        """The `source` of a data set that reads this file."""
        return f"official file {self.name}"

    @property
    def size(self) -> int:
        """How many pixels an image has on a side."""
        return self.shape[1]


def locate(file: OfficialFile, size: int, path: str | Path | None, source: str) -> Path | None:
    """Find the official file to use; None stands for rendered images.

    `path` and `source` are what the user asked for. Without them, the file is used if it is in
    the folder GORDIUM_DATA or was downloaded, and has images of the wanted size.
    """
    if source not in ("", RENDERED, file.source):
        raise ValueError(f"source must be {RENDERED!r} or {file.source!r}; got {source!r}.")
    if path is not None and source == RENDERED:
        raise ValueError(f"path is for {file.source!r}; leave it out for rendered images.")
    is_wanted = path is not None or source == file.source
    if source == RENDERED or (size != file.size and not is_wanted):
        return None
    if size != file.size:
        raise ValueError(
            f"size must be {file.size}, the size of the images in {file.name}; got {size}. "
            "Leave path out for rendered images, which come in any size."
        )
    usual = [folder / file.name for folder in (data_folder(), locate_fetched())]
    places = usual if path is None else [Path(path)]
    for place in places:
        if place.is_file():
            return place.absolute()
    if not is_wanted:
        return None
    raise FileNotFoundError(
        f"there is no file {places[0]}. Give the path of {file.name} as path=, or put the file "
        "into a folder and name that folder in the variable GORDIUM_DATA."
    )


def check_digest(path: Path, file: OfficialFile) -> None:
    """Raise ValueError unless the content is the published one."""
    found = remember([path], file.algorithm, lambda: digest_of(path, file.algorithm))
    if found != file.digest:
        raise ValueError(
            f"{path} is not the published {file.name}: its {file.algorithm} is {found} and must "
            f"be {file.digest}. Fetch it again; if you mean to use it as it is, set verify=False."
        )


def check_array(path: Path, file: OfficialFile, shape: tuple[int, ...], dtype: object) -> None:
    """Refuse an array that is not the published one."""
    if shape != file.shape or dtype != np.uint8:
        raise ValueError(
            f"{path} must hold {file.key!r} as uint8 {file.shape}; it holds {dtype} {shape}. "
            f"This is not {file.name}."
        )
