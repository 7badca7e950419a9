"""Boosted trees that predict each factor from all codes, for DCI and `downstream`."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from typing import Any, NamedTuple, TypeVar

from gordium.arrays import Floats
from gordium.metrics._boosting import MAX_RANKS, boost, boost_real, cut_points, n_threads, to_ranks
from gordium.metrics._held_out import Split
from gordium.metrics._regression import accuracy, r_squared
from gordium.metrics._shared_work import share_result

MANY_ROWS, FEWER_RANKS = 2**15, 1024

T = TypeVar("T")
Quality = Callable[[Any, Any], float]


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

    def fit(grow: Any, quality: Quality, k: int, v: Any, v_test: Any) -> Fit:
        booster = grow(ranks, v, seed=seed + k)
        train, held_out = quality(booster.fitted, v), quality(booster.predict(test_ranks), v_test)
        return Fit(booster.importance / max(booster.importance.sum(), 1e-300), train, held_out)

    return (
        side_by_side(partial(fit, boost, accuracy), count(), rows.factors.T, rows.test_factors.T),
        side_by_side(partial(fit, boost_real, r_squared), count(), rows.reals.T, rows.test_reals.T),
    )


def side_by_side(function: Callable[..., T], *arguments: Iterable[object]) -> list[T]:
    """`map` on several threads, which the kernels allow: they release Python's lock."""
    with ThreadPoolExecutor(n_threads()) as threads:
        return list(threads.map(function, *arguments))
