"""Arrays of the user's as the content of a data set: checked, put in order, and named."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.datasets.base import Images
from gordium.datasets.partial import Content
from gordium.factors import Factor, Kind

CHANNELS = (1, 3)
KINDS = ("ordered", "circular", "nominal")


def to_content(
    images: ArrayLike,
    factors: ArrayLike | Mapping[str, ArrayLike],
    names: Sequence[str] | None = None,
    kinds: Mapping[str, str] | None = None,
) -> Content:
    """Checked images and factors; `kinds` says which whole-number factors are no ordered ones."""
    pixels = check_images(np.asarray(images))
    columns = _columns(factors, names)
    for name, column in columns.items():
        if column.shape != (len(pixels),):
            raise ValueError(
                f"factor {name} must have one value for each of the {len(pixels)} images; it has "
                f"shape {column.shape}."
            )
    wrong = sorted(set(kinds or {}) - set(columns))
    if wrong:
        raise ValueError(f"kinds names {', '.join(wrong)}; factors are {', '.join(columns)}.")
    made = [_factor(name, column, (kinds or {}).get(name)) for name, column in columns.items()]
    values = np.column_stack([values for _, values in made])
    return Content(pixels, values, tuple(factor for factor, _ in made))


def check_images(images: NDArray[Any]) -> Images:
    """(n, c, h, w) as uint8, or as float32 in [0, 1]; also (n, h, w) and channels last."""
    if images.ndim == 3:
        images = images[:, None]
    if images.ndim == 4 and images.shape[1] not in CHANNELS and images.shape[3] in CHANNELS:
        images = images.transpose(0, 3, 1, 2)
    if images.ndim != 4 or images.shape[1] not in CHANNELS or 0 in images.shape:
        raise ValueError(
            "images must be (n, h, w), (n, c, h, w) or (n, h, w, c) with 1 or 3 channels; got "
            f"{images.shape}."
        )
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


def _columns(
    factors: ArrayLike | Mapping[str, ArrayLike], names: Sequence[str] | None
) -> dict[str, NDArray[Any]]:
    if isinstance(factors, Mapping):
        if names is not None:
            raise ValueError("names are the keys of factors already; leave names out.")
        found = {str(name): np.asarray(column) for name, column in factors.items()}
    else:
        table = np.asarray(factors)
        table = table[:, None] if table.ndim == 1 else table
        if table.ndim != 2:
            raise ValueError(f"factors must be (n_images, n_factors); got {table.shape}.")
        names = [f"factor_{i}" for i in range(table.shape[1])] if names is None else names
        if len(set(names)) != table.shape[1]:
            raise ValueError(f"names must be {table.shape[1]} different ones; got {list(names)}.")
        found = dict(zip(names, table.T, strict=True))
    if not found:
        raise ValueError("factors must have at least one column.")
    return found


def _factor(name: str, column: NDArray[Any], kind: str | None) -> tuple[Factor, NDArray[Any]]:
    """Whole numbers and words become 0, 1, ... in their order; real numbers stay as they are."""
    is_word = column.dtype.kind in "US"
    if not is_word and column.dtype.kind not in "biuf":
        raise TypeError(f"factor {name} must be numbers or words; got {column.dtype}.")
    if column.dtype.kind == "f":
        if not np.isfinite(column).all():
            raise ValueError(f"factor {name} has values that are no finite numbers.")
        if kind is not None:
            raise ValueError(f"factor {name} is real; kinds are for whole numbers and words.")
        return Factor(name, 0, "continuous"), column.astype(np.float64)
    if kind is not None and kind not in KINDS:
        raise ValueError(f"the kind of {name} must be one of {', '.join(KINDS)}; got {kind!r}.")
    levels, ranks = np.unique(column, return_inverse=True)
    found = cast(Kind, kind or ("nominal" if is_word else "ordered"))
    return Factor(name, len(levels), found), ranks.astype(np.int64)


def content_hash(content: Content) -> str:
    """sha256 of all that a run can see: images, values, and the factors' names and kinds."""
    total = hashlib.sha256()
    for array in (content.images, content.values):
        total.update(f"{array.dtype.newbyteorder('<').str} {array.shape}\n".encode())
        ordered = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        total.update(ordered.reshape(-1).view(np.uint8).data)
    for factor in content.factors:
        total.update(f"{factor.name!r} {factor.size} {factor.kind}\n".encode())
    return total.hexdigest()
