"""Picture files of the user's, read with care: known formats, and no more pixels than allowed."""

import warnings
from pathlib import Path
from typing import Literal

import numpy as np
from PIL import Image

from gordium.datasets.base import Images

FORMATS = ("BMP", "GIF", "JPEG", "PNG", "PPM", "TIFF", "WEBP")
MOST_PIXELS = 1 << 26  # of one picture: what unpacks to more is taken for an attack
Mode = Literal["L", "RGB"]


def open_picture(path: Path) -> Image.Image:
    """The picture in `path`, its pixels not read yet."""
    if not path.is_file():
        raise FileNotFoundError(f"there is no picture {path}.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what matters of it is checked below
            picture = Image.open(path, formats=FORMATS)
    except Exception as error:  # damage is met with errors of all kinds, MemoryError too
        raise ValueError(
            f"{path} cannot be read as a picture ({error}). It must be one of {', '.join(FORMATS)}."
        ) from error
    width, height = picture.size
    if width * height > MOST_PIXELS:
        picture.close()
        raise ValueError(
            f"{path} is {width} x {height} pixels; at most {MOST_PIXELS:,} are read. Shrink it."
        )
    return picture


def is_grey(picture: Image.Image) -> bool:
    """Whether a picture has no colours."""
    return picture.mode in ("1", "L", "LA", "I;16", "I", "F")


def pixels(picture: Image.Image, mode: Mode, size: tuple[int, int] | None = None) -> Images:
    """uint8 (c, h, w) of an open picture, shrunk or enlarged (Lanczos) to `size` if given."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            plain = picture.convert(mode)
    except Exception as error:  # readers of pictures meet damage with errors of all kinds
        name = getattr(picture, "filename", "the picture")
        raise ValueError(f"{name} is cut short or damaged ({error}).") from error
    if size is not None and plain.size != size:
        plain = plain.resize(size, Image.Resampling.LANCZOS)
    values = np.asarray(plain)
    return values[None] if mode == "L" else np.ascontiguousarray(values.transpose(2, 0, 1))
