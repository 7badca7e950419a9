"""Principal directions of the data around points, in image space and in factor space."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial import cKDTree

from gordium.arrays import Floats
from gordium.factors import Integers


class LocalPCA(NamedTuple):
    """The principal components at n points, the largest variance first.

    `variances` are (n, k). A column of `rotations` (n, k, k) is a component's mixture of the
    factors; a column of `directions` (n, p, k) is its change of the image, with length 1, or 0
    where there is no variance.
    """

    variances: Floats
    rotations: Floats
    directions: Floats


def local_pca(jacobians: ArrayLike) -> LocalPCA:
    """PCA of x + J w with w of unit variance, for each J of (n, p, k): the SVD of J."""
    j = np.asarray(jacobians, dtype=np.float64)
    variances, rotations = np.linalg.eigh(j.swapaxes(1, 2) @ j)
    variances, rotations = np.maximum(variances[:, ::-1], 0.0), rotations[:, :, ::-1]
    changes = j @ rotations
    lengths = np.linalg.norm(changes, axis=1, keepdims=True)
    negligible = lengths <= 1e-6 * lengths.max(axis=2, keepdims=True)
    directions = np.where(negligible, 0.0, changes / np.where(negligible, 1.0, lengths))
    return LocalPCA(variances, rotations, directions)


def neighbour_jacobians(
    points: ArrayLike, factors: ArrayLike, at: Integers, *, neighbours: int = 50
) -> Floats:
    """The slope (m, p, k) of the points (n, p) in the factors (n, k) around the rows `at`.

    It is a linear fit to the nearest rows in the space of standardised factors, for samples that
    are not on a grid. Slopes are per standard deviation of a factor.
    """
    x, w = np.asarray(points, dtype=np.float64), np.asarray(factors, dtype=np.float64)
    if not w.shape[1] < neighbours <= len(w):
        raise ValueError(
            f"a slope in {w.shape[1]} factors needs more neighbours than that, of {len(w)} "
            f"samples in all; got {neighbours}."
        )
    deviations = w.std(axis=0)
    if not (deviations > 0).all():
        raise ValueError("a factor takes one value in all samples; leave it out.")
    w = (w - w.mean(axis=0)) / deviations
    _, nearest = cKDTree(w).query(w[at], k=neighbours)
    around = ((w[rows] - w[rows].mean(axis=0), x[rows] - x[rows].mean(axis=0)) for rows in nearest)
    return np.stack([np.linalg.lstsq(*tables, rcond=None)[0].T for tables in around])
