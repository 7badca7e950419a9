"""Tests of a difference, from arrays: p-values that hold for few values."""

from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from gordium.arrays import Floats, Integers

EXACT_PAIRS = 20
EXACT_SPLITS = 20_000
DRAWS = 10_000
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
