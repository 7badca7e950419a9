"""What factors and local principal components look like at a few points of a grid."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gordium.datasets import Dataset
from gordium.geometry.differences import as_decoder, factor_jacobians
from gordium.geometry.local_pca import local_pca
from gordium.geometry.orthogonality import closest_signed_permutation
from gordium.geometry.places import grid_stencil
from gordium.geometry.stencils import CENTRE

Pixels = NDArray[np.float64]


class Example(NamedTuple):
    """One point: its image (h, w, c), and a change of it for each factor and component.

    Changes are (k, h, w, c), the longest one's largest pixel being 1; component k is the one
    that is nearest to factor k, with its sign.
    """

    image: Pixels
    factors: Pixels
    components: Pixels


def examples(
    dataset: Dataset, *, n: int = 3, steps: Sequence[int] | None = None, seed: int = 0
) -> list[Example]:
    """A few points of the grid, drawn by `seed`."""
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
            _scale(_order_components(j, v).T, shape),
        )
        for x, j, v in zip(images, jacobians, found.rotations, strict=True)
    ]


def _order_components(jacobian: Pixels, rotation: Pixels) -> Pixels:
    """The components' changes (p, k), in the order and with the signs of the nearest factors."""
    changes: Pixels = jacobian @ rotation @ closest_signed_permutation(rotation).T
    return changes


def _scale(changes: Pixels, shape: tuple[int, int, int]) -> Pixels:
    largest = np.abs(changes).max()
    return _pictures(changes / (largest if largest > 0 else 1.0), shape)


def _pictures(rows: NDArray[np.floating], shape: tuple[int, int, int]) -> Pixels:
    return rows.reshape(-1, *shape).transpose(0, 2, 3, 1).astype(np.float64)
