"""Rank correlations with intervals over runs."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

Floats = NDArray[np.float64]
RESAMPLES = 1000


class Rank(NamedTuple):
    """Spearman's rho over `n` runs and the ends of its bootstrap interval; NaN where none is."""

    rho: float
    low: float
    high: float
    n: int

    def __str__(self) -> str:
        if not np.isfinite(self.rho):
            return "undefined"
        ends = f" [{self.low:+.2f}, {self.high:+.2f}]" if np.isfinite(self.low) else ""
        return f"{self.rho:+.2f}{ends}"


def rank(first: ArrayLike, second: ArrayLike, *, seed: int = 0) -> Rank:
    """Spearman's rho of the pairs in which both are finite, with its 95 % percentile interval.

    Runs are drawn with replacement and ranked anew. Fewer than four pairs have no interval.
    """
    pairs = np.stack([np.asarray(first, float), np.asarray(second, float)])
    pairs = pairs[:, np.isfinite(pairs).all(axis=0)]
    n = pairs.shape[1]
    rho = float(_rho(pairs)) if n > 2 else np.nan
    if n < 4 or not np.isfinite(rho):
        return Rank(rho, np.nan, np.nan, n)
    chosen = np.random.default_rng(seed).integers(n, size=(RESAMPLES, n))
    drawn = _rho(pairs[:, chosen])
    found = drawn[np.isfinite(drawn)]
    low, high = np.quantile(found, [0.025, 0.975]) if len(found) else (np.nan, np.nan)
    return Rank(rho, float(low), float(high), n)


def _rho(pairs: Floats) -> Floats:
    """Of the last axis of two arrays; NaN where all values of one are the same."""
    ranks = rankdata(pairs, axis=-1)
    a, b = ranks - ranks.mean(axis=-1, keepdims=True)
    scale = np.sqrt((a**2).sum(axis=-1) * (b**2).sum(axis=-1))
    shared = (a * b).sum(axis=-1)
    return np.where(scale > 0, shared / np.where(scale > 0, scale, 1.0), np.nan)
