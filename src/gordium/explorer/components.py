"""The data's local principal components at the examples, as pictures."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gordium.datasets import Dataset
from gordium.factors import Integers
from gordium.geometry import local_pca, neighbour_jacobians
from gordium.geometry.differences import as_decoder, factor_jacobians
from gordium.geometry.places import grid_stencil
from gordium.geometry.stencils import CENTRE

MOST, POOL, NEIGHBOURS = 8, 3000, 50


def components_at(dataset: Dataset, indices: Integers) -> dict[str, NDArray[Any]] | None:
    """`directions` (n, k, pixels) of length 1 and `deviations` (n, k), the largest first.

    On a grid they are computed from the changes that the factors make, each per standard
    deviation; elsewhere from a linear fit to neighbours in the factors. None if there are too few
    images or values of a factor.
    """
    slopes = _slopes(dataset, indices)
    if slopes is None:
        return None
    found = local_pca(slopes)
    shown = min(MOST, found.variances.shape[1])
    return {
        "directions": found.directions.transpose(0, 2, 1)[:, :shown],
        "deviations": np.sqrt(found.variances[:, :shown]),
    }


def _slopes(dataset: Dataset, indices: Integers) -> NDArray[Any] | None:
    if dataset.is_grid and all(factor.size > 1 for factor in dataset.factors):
        return factor_jacobians(
            as_decoder(dataset), grid_stencil(dataset), _cells(dataset, indices)
        )
    if len(dataset) <= NEIGHBOURS or dataset.is_grid:
        return None
    others = np.setdiff1d(np.random.default_rng(0).permutation(len(dataset))[:POOL], indices)
    pool = np.concatenate([indices, others])
    values = dataset.factors_at(pool).astype(np.float64)
    if len(pool) <= NEIGHBOURS or not (values.std(axis=0) > 0).all():
        return None
    images = dataset.images(pool).reshape(len(pool), -1)
    scale = 255.0 if images.dtype == np.uint8 else 1.0
    at = np.arange(len(indices))
    return neighbour_jacobians(images / scale, values, at, neighbours=NEIGHBOURS)


def _cells(dataset: Dataset, indices: Integers) -> Integers:
    """The cells of the stencil whose centres are nearest to the images."""
    columns = []
    arms = grid_stencil(dataset).arms
    for arm, values in zip(arms, dataset.factors_at(indices).T, strict=True):
        nearest = np.abs(arm.values[:, CENTRE][None] - values[:, None]).argmin(axis=1)
        columns.append(arm.values[nearest])
    return np.stack(columns, axis=1)
