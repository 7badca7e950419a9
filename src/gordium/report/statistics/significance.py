"""Tests of a difference, from arrays: p-values that hold for few values."""

from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import rankdata

from gordium.arrays import Floats, Integers

EXACT_PAIRS = 20
EXACT_SPLITS = 20_000
DRAWS = 10_000
MOST_RANKED = 12
# Sums that should be equal may differ in their last bits.
_SLACK = 1e-12


def sign_flip_test(differences: ArrayLike) -> float:
    """The two-sided p-value of a mean: how often it is as large if signs are flipped at random.

    All 2^n patterns of signs for n up to 20, so that n = 5 cannot go below 1/16; else 10,000
    draws, the actual signs counted among them.
    """
    values = np.asarray(differences, dtype=np.float64)
    exact = len(values) <= EXACT_PAIRS
    sums = _flip_all(values) if exact else _some_signs(len(values)) @ values
    return _share_as_large(sums, values.sum(), np.abs(values).sum(), exact)


def permutation_test(first: ArrayLike, second: ArrayLike) -> float:
    """The two-sided p-value of two means: how often they are as far apart if values are shuffled.

    All ways of dealing the values to the two groups if these are at most 20,000, else 10,000 draws.
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    pool = np.concatenate([a, b])
    pool = pool - pool.mean()
    exact = comb(len(pool), len(a)) <= EXACT_SPLITS
    dealt = _all_splits(len(pool), len(a)) if exact else _some_splits(len(pool), len(a))
    return _share_as_large(pool[dealt].sum(axis=1), pool[: len(a)].sum(), np.abs(pool).sum(), exact)


def rank_permutation_test(first: ArrayLike, second: ArrayLike, strata: ArrayLike) -> float:
    """The exact two-sided p-value of rho within strata: all orders of values within each of them.

    Twice a rank is a whole number, so that the chance of each sum of products can be counted.
    """
    names = np.asarray(strata)
    x, y = (np.asarray(values, dtype=np.float64) for values in (first, second))
    chances, found = np.ones(1), 0
    for name in np.unique(names):
        a, b = (_double_ranks(values[names == name]) for values in (x, y))
        chances, found = np.convolve(chances, _count_sums(a, b)), found + int(a @ b)
    sums = np.arange(len(chances)) - len(chances) // 2
    return float(chances[np.abs(sums) >= abs(found)].sum())


def holm(p: Floats) -> Floats:
    """Holm's step-down correction: the i-th smallest of m is multiplied by m - i + 1."""
    order = np.argsort(p)
    raised = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(raised, 1.0)
    return corrected


def _share_as_large(sums: Floats, found: float, scale: float, exact: bool) -> float:
    as_large = np.abs(sums) >= abs(found) - _SLACK * scale
    return float(as_large.mean()) if exact else float((as_large.sum() + 1) / (len(sums) + 1))


def _flip_all(values: Floats) -> Floats:
    """The sums of the values under all patterns of signs."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums - value, sums + value])
    return sums


def _double_ranks(values: Floats) -> Integers:
    """Twice the ranks, ties sharing theirs, less twice their mean."""
    if len(values) > MOST_RANKED:
        raise ValueError(
            f"orders are counted for at most {MOST_RANKED} values of a stratum; got {len(values)}."
        )
    return np.rint(2 * rankdata(values)).astype(np.int64) - len(values) - 1


def _count_sums(a: Integers, b: Integers) -> Floats:
    """The chance of each sum of a_i b_(any order), from the least possible one to the greatest.

    Partners are given to one value after the other; what is kept is which are given away.
    """
    most = int(np.sort(np.abs(a)) @ np.sort(np.abs(b)))
    start = np.zeros(2 * most + 1)
    start[most] = 1.0
    given = {0: start}
    for value in a:
        longer: dict[int, Floats] = {}
        for taken, counts in given.items():
            for j in (j for j in range(len(b)) if not taken >> j & 1):
                moved = np.roll(counts, value * b[j])
                longer[taken | 1 << j] = longer.get(taken | 1 << j, 0.0) + moved
        given = longer
    [counts] = given.values()
    return counts / counts.sum()


@lru_cache(maxsize=4)
def _some_signs(n: int) -> Floats:
    return np.random.default_rng(0).choice([-1.0, 1.0], size=(DRAWS, n))


@lru_cache(maxsize=8)
def _all_splits(n: int, k: int) -> Integers:
    return np.array(list(combinations(range(n), k)), dtype=np.int64)


@lru_cache(maxsize=4)
def _some_splits(n: int, k: int) -> Integers:
    rng = np.random.default_rng(0)
    return rng.permuted(np.tile(np.arange(n), (DRAWS, 1)), axis=1)[:, :k]
