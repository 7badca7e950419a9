"""Spearman's rank correlation, also within strata, with Fisher's interval or a jackknife's."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri
from scipy.stats import rankdata

from gordium.arrays import Floats
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
    return _fisher_interval(float(np.corrcoef(rankdata(pairs, axis=1))[0, 1]), n, n - 3)


def rank_within(first: ArrayLike, second: ArrayLike, strata: ArrayLike) -> Estimate:
    """Rho of ranks within strata, so that what differs between these is no correlation.

    Ranks are taken, and set against their mean, in each stratum by itself; each stratum beyond
    the first costs Fisher's interval one degree of freedom. All values must be finite; those that
    are equal within each stratum have no rho.
    """
    names = np.asarray(strata)
    x, y = (_rank_each(np.asarray(values, np.float64), names) for values in (first, second))
    spread = float(np.sqrt((x @ x) * (y @ y)))
    if spread == 0:
        return Estimate(*5 * (np.nan,), len(x))
    freedom = len(x) - 2 - len(set(names.tolist()))
    return _fisher_interval(float(x @ y) / spread, len(x), freedom)


def _rank_each(values: Floats, names: NDArray[Any]) -> Floats:
    """Ranks within each name, less their mean."""
    found = np.empty(len(values))
    for name in set(names.tolist()):
        ranks = rankdata(values[names == name])
        found[names == name] = ranks - ranks.mean()
    return found


def _fisher_interval(rho: float, n: int, freedom: int) -> Estimate:
    """z = artanh(rho) -+ 1.06 q / sqrt(freedom), taken back; none without freedom."""
    if freedom < 1:
        return Estimate(rho, *4 * (np.nan,), n)
    half = -float(ndtri((1 - 0.95) / 2)) * ERROR / np.sqrt(freedom)
    centre = _fisher(rho)
    p = float(2 * ndtr(-abs(centre) * np.sqrt(freedom) / ERROR))
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
