"""Reading the user's picture files; unknown formats and huge pictures are refused."""

import warnings
from pathlib import Path
from typing import Literal

import numpy as np
from PIL import Image

from gordium.datasets.base import Images

FORMATS = ("BMP", "GIF", "JPEG", "PNG", "PPM", "TIFF", "WEBP")
MOST_PIXELS = 1 << 26  # a picture that would unpack to more is refused
Mode = Literal["L", "RGB"]


def open_picture(path: Path) -> Image.Image:
    """Open the picture in `path`; its pixels are not read yet."""
    if not path.is_file():
        raise FileNotFoundError(f"there is no picture {path}.")
    try:
        with warnings.catch_warnings(action="ignore"):  # the size, of which PIL warns, is checked
            picture = Image.open(path, formats=FORMATS)
    except Exception as error:  # PIL raises errors of all kinds on damaged files, MemoryError too
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


def pixels(picture: Image.Image, mode: Mode, size: tuple[int, int]) -> Images:
    """Read an open picture as uint8 (c, h, w), resized (Lanczos) to `size` if it has another."""
    try:
        with warnings.catch_warnings(action="ignore"):
            plain = picture.convert(mode)
    except Exception as error:  # PIL raises errors of all kinds on damaged files
        name = getattr(picture, "filename", "the picture")
        raise ValueError(f"{name} is cut short or damaged ({error}).") from error
    values = np.asarray(plain.resize(size, Image.Resampling.LANCZOS))
    return values[None] if mode == "L" else np.ascontiguousarray(values.transpose(2, 0, 1))
