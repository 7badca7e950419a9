"""Scream-dSprites: sprites that invert a piece of a painting (Locatello et al. 2019)."""

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, final

import numpy as np

from gordium.datasets.base import Images
from gordium.datasets.readers.local_files import data_folder
from gordium.datasets.readers.pictures import open_picture, pixels
from gordium.datasets.rendering.painting import paint
from gordium.datasets.sets.decorated_sprites import DecoratedSprites
from gordium.factors import Integers
from gordium.files import sha256

PAINTED = "painted"
FILE = "scream.jpg"
FRAME = (350, 274)  # for images 64 wide, the picture is shrunk to fit this width and height


@final
@dataclass(frozen=True)
class ScreamDSprites(DecoratedSprites):
    """A random piece of The Scream, averaged with a random tint; sprites show its negative.

    `picture` is a file of the painting, also found as scream.jpg in the folder GORDIUM_DATA;
    without one, a picture of like colours and strokes is painted. `background` says which of
    the two is in use, and is part of the declaration.
    """

    name: ClassVar[str] = "scream-dsprites"

    picture: str | Path | None = field(default=None, compare=False, kw_only=True)
    background: str = field(default="", kw_only=True)
    canvas: Images = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        file = _locate(self.picture, self.background)
        found = PAINTED if file is None else f"picture with sha256 {sha256(file)}"
        if self.background not in ("", found):
            raise ValueError(f"background must be {self.background!r}; {file} is a {found}.")
        object.__setattr__(self, "background", found)
        object.__setattr__(self, "canvas", _canvas(file, found, self.size))

    def decorate(self, masks: Images, indices: Integers) -> Images:
        chance = self.chance(indices, 11)
        corner = np.ascontiguousarray(chance[:, :8]).view("<u4").astype(np.uint64)
        _, height, width = self.canvas.shape
        room = np.array([height - self.size, width - self.size], np.uint64)
        row, column = (corner * room >> np.uint64(32)).astype(np.int64).T
        shape = (self.size, self.size)
        pieces = np.lib.stride_tricks.sliding_window_view(self.canvas, shape, axis=(1, 2))
        found = pieces.transpose(1, 2, 0, 3, 4)[row, column].astype(np.uint16)
        found += chance[:, 8:, None, None]
        return (found + 1 >> 1).astype(np.uint8) ^ masks  # a mask is all bits or none


def _locate(picture: str | Path | None, background: str) -> Path | None:
    """The picture file to use; None if the background is to be painted."""
    if picture is not None and background == PAINTED:
        raise ValueError(f"picture is for a background from a file; leave it out for {PAINTED!r}.")
    if background == PAINTED:
        return None
    file = Path(picture or data_folder() / FILE)
    if file.is_file():
        return file
    if picture is None and not background:
        return None
    raise FileNotFoundError(
        f"there is no file {file}. Give a picture of the painting as picture=, or put it as "
        f"{FILE} into a folder and name that folder in the variable GORDIUM_DATA."
    )


@lru_cache(maxsize=8)
def _canvas(file: Path | None, content: str, size: int) -> Images:
    """The picture (3, h, w) that images are cut from; `content` tells a changed file."""
    width, height = (round(side * size / 64) for side in FRAME)
    if file is None:
        return paint(height)
    with open_picture(file) as picture:
        shrink = min(width / picture.width, height / picture.height, 1)
        wanted = (round(picture.width * shrink), round(picture.height * shrink))
        canvas = pixels(picture, "RGB", wanted)
    if min(wanted) <= size:
        raise ValueError(f"{file} is {wanted} once shrunk; it must be larger than {size} x {size}.")
    return canvas
