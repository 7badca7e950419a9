"""Spearman's rank correlation with Fisher's interval, or with the jackknife's over groups."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri
from scipy.stats import rankdata

from gordium.report.statistics.student import Estimate, jackknife_interval

# The standard error of Fisher's z of a rank correlation is this over sqrt(n - 3) (Fieller, Hartley
# and Pearson 1957).
ERROR = 1.06


class Rank(NamedTuple):
    """Spearman's rho over `n` pairs and the ends of its interval; NaN where there is none."""

    rho: float
    low: float
    high: float
    n: int

    def __str__(self) -> str:
        if not np.isfinite(self.rho):
            return "undefined"
        ends = f" [{self.low:+.2f}, {self.high:+.2f}]" if np.isfinite(self.low) else ""
        return f"{self.rho:+.2f}{ends}"

    def p_value(self) -> float:
        """Two-sided, of "the true correlation is 0"."""
        if self.n < 4 or not np.isfinite(self.rho):
            return np.nan
        return float(2 * ndtr(-abs(_fisher(self.rho)) * np.sqrt(self.n - 3) / ERROR))


def rank(first: ArrayLike, second: ArrayLike) -> Rank:
    """Spearman's rho of all finite pairs; z = artanh(rho) -+ 1.06 q / sqrt(n - 3).

    Ties share their mean rank. Fewer than four pairs have no interval; equal values have no rho.
    """
    pairs = np.stack([np.asarray(first, np.float64), np.asarray(second, np.float64)])
    pairs = pairs[:, np.isfinite(pairs).all(axis=0)]
    n = pairs.shape[1]
    if n < 3 or (pairs == pairs[:, :1]).all(axis=1).any():
        return Rank(np.nan, np.nan, np.nan, n)
    rho = float(np.corrcoef(rankdata(pairs, axis=1))[0, 1])
    if n < 4:
        return Rank(rho, np.nan, np.nan, n)
    half = -float(ndtri((1 - 0.95) / 2)) * ERROR / np.sqrt(n - 3)
    centre = _fisher(rho)
    return Rank(rho, float(np.tanh(centre - half)), float(np.tanh(centre + half)), n)


def rank_by_group(first: ArrayLike, second: ArrayLike, groups: ArrayLike) -> Estimate:
    """Rho of pairs that come in groups: the jackknife of artanh(rho) over groups.

    `n` counts the groups that have a finite pair, and p is of "the true correlation is 0".
    """
    pairs = np.stack([np.asarray(first, np.float64), np.asarray(second, np.float64)])
    finite = np.isfinite(pairs).all(axis=0)
    pairs, names = pairs[:, finite], np.asarray(groups)[finite]

    def number(some: Sequence[str]) -> float:
        return _fisher(rank(*pairs[:, np.isin(names, some)]).rho)

    found = jackknife_interval(number, sorted(set(names.tolist())))
    mean, low, high = np.tanh(found[:3]).tolist()
    return Estimate(mean, low, high, found.p, found.effect, found.n)


def _fisher(rho: float) -> float:
    """artanh, finite at both ends."""
    return float(np.arctanh(np.clip(rho, -1 + 1e-12, 1 - 1e-12)))
