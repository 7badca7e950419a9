"""Pictures of what factors and local principal components change at a few grid points."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gordium.arrays import Floats
from gordium.datasets import Dataset
from gordium.geometry.differences import as_decoder, factor_jacobians
from gordium.geometry.local_pca import local_pca
from gordium.geometry.orthogonality import closest_signed_permutation
from gordium.geometry.places import grid_stencil
from gordium.geometry.stencils import CENTRE


class Example(NamedTuple):
    """The image (h, w, c) at a point, and the change that each factor and component makes.

    Changes are (k, h, w, c), scaled together so that the largest pixel is 1. Component k is the
    one matched to factor k, with the same sign.
    """

    image: Floats
    factors: Floats
    components: Floats


def examples(
    dataset: Dataset, *, n: int = 3, steps: Sequence[int] | None = None, seed: int = 0
) -> list[Example]:
    """Draw `n` points of the grid by `seed`, and the changes there."""
    stencil = grid_stencil(dataset, steps)
    cells = stencil.draw(n, np.random.default_rng(seed))
    rows = as_decoder(dataset)
    images = rows(cells[:, :, CENTRE])
    jacobians = factor_jacobians(rows, stencil, cells).astype(np.float64)
    found = local_pca(jacobians)
    shape = dataset.image_shape
    return [
        Example(
            _pictures(x[None], shape)[0],
            _scale(j.T, shape),
            _scale((j @ v @ closest_signed_permutation(v).T).T, shape),
        )
        for x, j, v in zip(images, jacobians, found.rotations, strict=True)
    ]


def _scale(changes: Floats, shape: tuple[int, int, int]) -> Floats:
    largest = np.abs(changes).max()
    return _pictures(changes / (largest if largest > 0 else 1.0), shape)


def _pictures(rows: NDArray[np.floating], shape: tuple[int, int, int]) -> Floats:
    return rows.reshape(-1, *shape).transpose(0, 2, 3, 1).astype(np.float64)
