"""Bootstrap intervals of means, for many groups of the same size at once."""

from functools import lru_cache
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri, stdtrit

Kind = Literal["expanded", "percentile", "bca"]
Floats = NDArray[np.float64]
_BLOCK = 256


def mean_intervals(
    values: ArrayLike,
    *,
    level: float = 0.95,
    kind: Kind = "expanded",
    resamples: int = 2000,
    seed: int = 0,
) -> Floats:
    """Low and high end of the mean of each row of `values` (groups, n), as (groups, 2).

    `percentile` takes quantiles of the resampled means: with few values it is too short (90 % in
    place of 95 % for ten normal ones). `expanded` moves the quantiles out to where Student's t
    would have them: Phi(-sqrt(n / (n - 1)) t_{n-1}) (Hesterberg 2015). `bca` corrects for bias
    and skewness instead (Efron 1987). Groups share their resamples, so that an interval depends
    on nothing but its own values, `resamples` and `seed`. One value has no interval: NaN.
    """
    table = np.atleast_2d(np.asarray(values, dtype=np.float64))
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1; got {level}.")
    if kind not in ("expanded", "percentile", "bca"):
        raise ValueError(f"kind must be expanded, percentile or bca; got {kind!r}.")
    n = table.shape[1]
    if n < 2:
        return np.full((len(table), 2), np.nan)
    weights = _weights(n, resamples, seed)
    blocks = [table[start : start + _BLOCK] for start in range(0, len(table), _BLOCK)]
    return np.concatenate([_block(block, weights, level, kind) for block in blocks])


@lru_cache(maxsize=64)
def _weights(n: int, resamples: int, seed: int) -> Floats:
    """How much each value counts in each resampled mean: (n, resamples), columns sum to 1."""
    rng = np.random.default_rng((seed, n))
    return np.ascontiguousarray(rng.multinomial(n, np.full(n, 1 / n), size=resamples).T / n)


def _block(table: Floats, weights: Floats, level: float, kind: Kind) -> Floats:
    # The resamples of a group are means of its own values: centring keeps equal values equal.
    centre = table.mean(axis=1, keepdims=True)
    means = np.sort((table - centre) @ weights, axis=1)
    tails = _tails(table, means, level, kind)
    places = np.clip(tails * (means.shape[1] - 1), 0, means.shape[1] - 1)
    below = np.floor(places).astype(np.int64)
    above = np.minimum(below + 1, means.shape[1] - 1)
    low, high = np.take_along_axis(means, below, 1), np.take_along_axis(means, above, 1)
    return centre + low + (places - below) * (high - low)


def _tails(table: Floats, means: Floats, level: float, kind: Kind) -> Floats:
    """The two quantiles to take, for each group."""
    n, tail = table.shape[1], (1 - level) / 2
    if kind == "bca":
        return _bca_tails(table, means, tail)
    if kind == "expanded":
        tail = float(ndtr(np.sqrt(n / (n - 1)) * stdtrit(n - 1, tail)))
    return np.tile([tail, 1 - tail], (len(table), 1))


def _bca_tails(table: Floats, means: Floats, tail: float) -> Floats:
    deviations = table - table.mean(axis=1, keepdims=True)
    spread = (deviations**2).sum(axis=1)
    safe = np.where(spread > 0, spread, 1.0)
    acceleration = (deviations**3).sum(axis=1) / (6 * safe**1.5)
    at_most = ((means < 0).mean(axis=1) + (means <= 0).mean(axis=1)) / 2
    shortest = 1 / (means.shape[1] + 1)
    bias = ndtri(np.clip(at_most, shortest, 1 - shortest))[:, None]
    z = bias + np.array([-1, 1]) * NormalDist().inv_cdf(1 - tail)
    return ndtr(bias + z / (1 - acceleration[:, None] * z))
