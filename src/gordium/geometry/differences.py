"""The Jacobian of images, or of any function of them, in the factors: by grid differences."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gordium.datasets import Dataset
from gordium.factors import Integers
from gordium.geometry.stencils import Stencil

Floats = NDArray[np.float32]
# A function from factor values (n, k) to rows of numbers (n, p).
Rows = Callable[[Integers], NDArray[Any]]
BYTES = 1 << 26  # of the Jacobians of one block


def as_decoder(dataset: Dataset) -> Rows:
    """Return the data set as a function from factors to images: rows of pixels in [0, 1]."""

    def rows(values: Integers) -> Floats:
        images = dataset.images(dataset.index_of(values)).reshape(len(values), -1)
        scale = 255 if images.dtype == np.uint8 else 1
        return images.astype(np.float32) / np.float32(scale)

    return rows


def factor_jacobians(rows: Rows, stencil: Stencil, cells: Integers) -> Floats:
    """The change of the rows per standard deviation of each factor, in each cell: (m, p, k)."""
    columns = [_column(rows, stencil, cells, k) for k in range(len(stencil.arms))]
    return np.stack(columns, axis=2)


def _column(rows: Rows, stencil: Stencil, cells: Integers, k: int) -> Floats:
    changes = np.stack([rows(high) - rows(low) for low, high in stencil.ends(cells, k)])
    return np.float32(stencil.arms[k].weight) * changes.mean(axis=0).astype(np.float32)


def split_into_blocks(cells: Integers, width: int) -> Iterator[Integers]:
    """Split cells into blocks whose Jacobians of `width` rows take at most `BYTES`."""
    block = max(1, BYTES // (4 * width * cells.shape[1]))
    for start in range(0, len(cells), block):
        yield cells[start : start + block]
