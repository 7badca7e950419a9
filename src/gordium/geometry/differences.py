"""The Jacobian of a renderer, or of anything that images go into, by differences on the grid."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gordium.datasets import Dataset
from gordium.factors import Integers
from gordium.geometry.stencils import Stencil

Floats = NDArray[np.float32]
# Factor values (n, k) to rows of numbers (n, p).
Rows = Callable[[Integers], NDArray[Any]]
BYTES = 1 << 26  # of Jacobians at once


def as_decoder(dataset: Dataset) -> Rows:
    """The data set as a decoder of its factors: pixels in [0, 1], one row an image."""

    def rows(values: Integers) -> Floats:
        images = dataset.images(dataset.index_of(values)).reshape(len(values), -1)
        scale = 255 if images.dtype == np.uint8 else 1
        return images.astype(np.float32) / np.float32(scale)

    return rows


def factor_jacobians(rows: Rows, stencil: Stencil, cells: Integers) -> Floats:
    """(m, p, k): the change of the rows per standard deviation of each factor, in each cell."""
    columns = [_column(rows, stencil, cells, k) for k in range(len(stencil.arms))]
    return np.stack(columns, axis=2)


def _column(rows: Rows, stencil: Stencil, cells: Integers, k: int) -> Floats:
    changes = np.stack([rows(high) - rows(low) for low, high in stencil.ends(cells, k)])
    return np.float32(stencil.arms[k].weight) * changes.mean(axis=0).astype(np.float32)


def split_into_blocks(cells: Integers, width: int) -> Iterator[Integers]:
    """The cells in parts whose Jacobians of `width` rows take bounded memory."""
    block = max(1, BYTES // (4 * width * cells.shape[1]))
    for start in range(0, len(cells), block):
        yield cells[start : start + block]
