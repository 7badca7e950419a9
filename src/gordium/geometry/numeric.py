"""Jacobians of NumPy functions, by central differences in double precision."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gordium.arrays import Floats

NumpyDecoder = Callable[[Floats], NDArray[Any]]


def difference_columns(decoder: NumpyDecoder, z: Floats, chunk: int) -> Iterator[Floats]:
    """d f / d z_i for all i at `chunk` points at a time: (m, d, ...), images in f's shape.

    It is (f(z + h e_i) - f(z - h e_i)) / 2h, where h is the cube root of the rounding unit of f's
    results times max(1, |z_i|). The error is of order h^2: 1e-10 for doubles, 1e-5 for floats.
    """
    for start in range(0, len(z), chunk):
        rows = z[start : start + chunk]
        steps = _choose_step(decoder(rows), len(rows)) * np.maximum(1.0, np.abs(rows))
        yield np.stack([_column(decoder, rows, steps, i) for i in range(z.shape[1])], axis=1)


def _choose_step(images: Any, n: int) -> float:
    """The relative step for a decoder with such images, which are checked here."""
    if not isinstance(images, np.ndarray) or len(images) != n or images.dtype.kind != "f":
        shown = getattr(images, "shape", type(images).__name__)
        raise TypeError(
            f"z is a NumPy array, so the decoder must return a NumPy array of real numbers with a "
            f"row for each of the {n} points; it returned {shown}. Give z as a tensor to a decoder "
            "of tensors; a decoder must not round images to whole numbers."
        )
    return float(np.cbrt(np.finfo(images.dtype).eps))


def _column(decoder: NumpyDecoder, rows: Floats, steps: Floats, i: int) -> Floats:
    high, low = rows.copy(), rows.copy()
    high[:, i] += steps[:, i]
    low[:, i] -= steps[:, i]
    change = np.asarray(decoder(high), np.float64) - np.asarray(decoder(low), np.float64)
    width = (high[:, i] - low[:, i]).reshape(-1, *[1] * (change.ndim - 1))
    return change / width
