"""Covariances of codes, and correlations between all columns of two tables."""

import numpy as np
from numpy.typing import NDArray

from gordium.arrays import Floats
from gordium.metrics._shared_work import share_result


def absolute_correlation(a: Floats, b: Floats, *, rank: bool) -> Floats:
    """(columns of a, columns of b): Pearson's, or Spearman's with `rank`; 0 for constants."""
    if rank:
        from scipy.stats import rankdata

        a, b = rankdata(a, axis=0), rankdata(b, axis=0)
    return np.abs(standardise(a).T @ standardise(b)) / len(a)


def standardise(x: Floats) -> Floats:
    """The columns with mean zero and variance one; constant columns become zero."""
    is_constant = (x == x[0]).all(axis=0)  # their variance may be a rounding error
    scale = np.where(is_constant, 1, np.abs(x).max(axis=0))  # against underflow of squares
    centred = x / scale
    centred -= centred.mean(axis=0)
    return np.where(is_constant, 0, centred / np.where(is_constant, 1, centred.std(axis=0)))


@share_result
def covariance(codes: NDArray[np.floating]) -> Floats:
    """The unbiased covariance of the columns that are not constant, in double precision."""
    alive = codes[:, (codes != codes[0]).any(axis=0)].astype(np.float64)
    centred = alive - alive.mean(axis=0)
    return centred.T @ centred / (len(codes) - 1)
