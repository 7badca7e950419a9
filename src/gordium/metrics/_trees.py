"""Boosted trees that predict each factor from all codes, for DCI and `downstream`."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import numpy as np

from gordium.arrays import Floats
from gordium.metrics._boosting import MAX_RANKS, boost, boost_real, cut_points, n_threads, to_ranks
from gordium.metrics._held_out import Split
from gordium.metrics._regression import r_squared
from gordium.metrics._shared_work import share_result

MANY_ROWS, FEWER_RANKS = 2**15, 1024

T = TypeVar("T")


class Fit(NamedTuple):
    """Trees of one factor: importance of each code, accuracy (or R^2) in both sets of rows."""

    importance: Floats
    train: float
    held_out: float


Fits = tuple[list[Fit], list[Fit]]  # of the factors with labels, of the real ones


def ranks_told_apart(n_rows: int) -> int:
    """How many values of a code are told apart: all, or 1,024 quantiles of very many rows."""
    return MAX_RANKS if n_rows <= MANY_ROWS else FEWER_RANKS


@share_result
def fit_trees(rows: Split, seed: int, max_ranks: int) -> Fits:
    """Fit trees of each factor, and test them on the rows held out."""
    cuts = cut_points(rows.codes, max_ranks)
    ranks, test_ranks = to_ranks(rows.codes, cuts), to_ranks(rows.test_codes, cuts)

    def fit(k: int) -> Fit:
        labels, test_labels = rows.factors[:, k], rows.test_factors[:, k]
        booster = boost(ranks, labels, seed=seed + k)
        held_out = np.mean(booster.predict(test_ranks) == test_labels)
        train = np.mean(booster.fitted == labels)
        return Fit(_shares(booster.importance), float(train), float(held_out))

    def fit_real(k: int) -> Fit:
        v, v_test = rows.reals[:, k], rows.test_reals[:, k]
        booster = boost_real(ranks, v, seed=seed + k)
        held_out = r_squared(booster.predict(test_ranks), v_test)
        return Fit(_shares(booster.importance), r_squared(booster.fitted, v), held_out)

    n, n_real = rows.factors.shape[1], rows.reals.shape[1]
    return side_by_side(fit, range(n)), side_by_side(fit_real, range(n_real))


def side_by_side(function: Callable[..., T], *arguments: Iterable[object]) -> list[T]:
    """`map` on several threads, which the kernels allow: they release Python's lock."""
    with ThreadPoolExecutor(n_threads()) as threads:
        return list(threads.map(function, *arguments))


def _shares(importance: Floats) -> Floats:
    return importance / max(importance.sum(), 1e-300)
