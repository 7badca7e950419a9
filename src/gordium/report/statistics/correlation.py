"""Spearman's rank correlation with Fisher's interval, or with the jackknife's over groups."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri
from scipy.stats import rankdata

from gordium.report.statistics.student import Estimate, jackknife_interval

# The standard error of Fisher's z of a rank correlation is this over sqrt(n - 3) (Fieller, Hartley
# and Pearson 1957).
ERROR = 1.06


def rank(first: ArrayLike, second: ArrayLike) -> Estimate:
    """Spearman's rho of all finite pairs; z = artanh(rho) -+ 1.06 q / sqrt(n - 3).

    Ties share their mean rank. Fewer than four pairs have no interval; equal values have no rho.
    """
    pairs = np.stack([np.asarray(first, np.float64), np.asarray(second, np.float64)])
    pairs = pairs[:, np.isfinite(pairs).all(axis=0)]
    n = pairs.shape[1]
    if n < 3 or (pairs == pairs[:, :1]).all(axis=1).any():
        return Estimate(*5 * (np.nan,), n)
    rho = float(np.corrcoef(rankdata(pairs, axis=1))[0, 1])
    if n < 4:
        return Estimate(rho, *4 * (np.nan,), n)
    half = -float(ndtri((1 - 0.95) / 2)) * ERROR / np.sqrt(n - 3)
    centre = _fisher(rho)
    p = float(2 * ndtr(-abs(centre) * np.sqrt(n - 3) / ERROR))
    return Estimate(rho, float(np.tanh(centre - half)), float(np.tanh(centre + half)), p, np.nan, n)


def say_rank(found: Estimate) -> str:
    """A rank correlation with its interval, if it has one."""
    if not np.isfinite(found.mean):
        return "undefined"
    ends = f" [{found.low:+.2f}, {found.high:+.2f}]" if np.isfinite(found.low) else ""
    return f"{found.mean:+.2f}{ends}"


def rank_by_group(first: ArrayLike, second: ArrayLike, groups: ArrayLike) -> Estimate:
    """Rho of pairs that come in groups: the jackknife of artanh(rho) over groups.

    `n` counts the groups that have a finite pair, and p is of "the true correlation is 0".
    """
    pairs = np.stack([np.asarray(first, np.float64), np.asarray(second, np.float64)])
    finite = np.isfinite(pairs).all(axis=0)
    pairs, names = pairs[:, finite], np.asarray(groups)[finite]

    def number(some: Sequence[str]) -> float:
        return _fisher(rank(*pairs[:, np.isin(names, some)]).mean)

    found = jackknife_interval(number, sorted(set(names.tolist())))
    mean, low, high = np.tanh(found[:3]).tolist()
    return Estimate(mean, low, high, found.p, found.effect, found.n)


def _fisher(rho: float) -> float:
    """artanh, finite at both ends."""
    return float(np.arctanh(np.clip(rho, -1 + 1e-12, 1 - 1e-12)))
