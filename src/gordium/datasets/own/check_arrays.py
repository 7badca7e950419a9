"""Checking the user's arrays and turning them into the content of a data set."""

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.datasets.base import Images
from gordium.datasets.collection import Content
from gordium.datasets.own.columns import Meaning, categories, name_columns, to_factor

CHANNELS = (1, 3)


def to_content(
    images: ArrayLike, factors: Any, names: Sequence[str] | None, said: Meaning
) -> Content:
    """Check images and factors; kinds and labels of factors are as the user `said`."""
    pixels = check_images(np.asarray(images))
    columns = name_columns(factors, names)
    for name, column in columns.items():
        if column.shape != (len(pixels),):
            raise ValueError(
                f"factor {name} must have one value for each of the {len(pixels)} images; it has "
                f"shape {column.shape}."
            )
    said.check(list(columns))
    known = categories(factors)
    said = Meaning({**known.kinds, **said.kinds}, {**known.labels, **said.labels})
    made = [to_factor(name, column, said) for name, column in columns.items()]
    values = np.column_stack([values for _, values in made])
    return Content(pixels, values, tuple(factor for factor, _ in made))


def check_images(images: NDArray[Any]) -> Images:
    """Return images as (n, c, h, w), uint8 or float32 in [0, 1].

    They may also be given as (n, h, w) or with channels last. Vectors (n, d) of any real numbers
    become images of d channels and one pixel.
    """
    if images.ndim == 2 and 0 not in images.shape:
        return _check_vectors(images)
    if images.ndim == 3:
        images = images[:, None]
    if images.ndim != 4 or 0 in images.shape:
        raise ValueError(
            "images must be (n, h, w), (n, c, h, w) or (n, h, w, c), or vectors (n, d); got "
            f"{images.shape}."
        )
    if _has_channels_last(images.shape):
        images = images.transpose(0, 3, 1, 2)
    if images.dtype == np.uint8:
        return np.ascontiguousarray(images)
    if not np.issubdtype(images.dtype, np.floating):
        raise TypeError(f"images must be uint8, or floats in 0 to 1; got {images.dtype}.")
    low, high = float(images.min()), float(images.max())
    if not (low >= 0 and high <= 1):
        raise ValueError(
            f"images of floats must lie in 0 to 1; these lie in {low} to {high}. Scale them, or "
            "give uint8."
        )
    return np.ascontiguousarray(images, np.float32)


def _has_channels_last(shape: tuple[int, ...]) -> bool:
    """Whether the last axis is the channels': an axis of 1 or 3, or else the shorter one."""
    _, first, _, last = shape
    if first in CHANNELS or last in CHANNELS:
        return first not in CHANNELS
    return last < first


def _check_vectors(rows: NDArray[Any]) -> Images:
    if rows.dtype.kind not in "biuf" or not np.isfinite(rows.astype(np.float64)).all():
        raise TypeError(f"vectors must be finite real numbers; got {rows.dtype}.")
    return np.ascontiguousarray(rows, np.float32)[:, :, None, None]


def content_hash(content: Content) -> str:
    """sha256 of all that a run sees: images, values, and the factors' names, sizes and kinds."""
    total = hashlib.sha256()
    for array in (content.images, content.values):
        total.update(f"{array.dtype.newbyteorder('<').str} {array.shape}\n".encode())
        ordered = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        total.update(ordered.reshape(-1).view(np.uint8).data)
    for factor in content.factors:
        total.update(f"{factor.name!r} {factor.size} {factor.kind}\n".encode())
    return total.hexdigest()
