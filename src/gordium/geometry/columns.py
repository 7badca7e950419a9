"""Jacobian columns as pictures: where, and which way, an image changes with a unit."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray


class ColumnPictures(NamedTuple):
    """`pictures` (n, d, h, w, c) in [-1, 1], 0 for no change; `scales` (n,) is what 1 stands for.

    All units of a point share its scale, so that weak ones look weak.
    """

    pictures: NDArray[np.float64]
    scales: NDArray[np.float64]


def column_pictures(jacobians: ArrayLike) -> ColumnPictures:
    """Pictures of the columns of image Jacobians (n, c, h, w, d)."""
    j: NDArray[Any] = np.asarray(jacobians, dtype=np.float64)
    if j.ndim != 5:
        raise ValueError(f"Jacobians of images must be (n, c, h, w, d); got {j.shape}.")
    scales = np.abs(j).max(axis=(1, 2, 3, 4))
    shown = j.transpose(0, 4, 2, 3, 1) / np.where(scales > 0, scales, 1)[:, None, None, None, None]
    return ColumnPictures(shown, scales)
