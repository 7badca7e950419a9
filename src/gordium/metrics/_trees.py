"""Boosted trees that predict each factor from all codes, for DCI and `downstream`."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
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


def fit_trees(rows: Split, seed: int, max_ranks: int) -> Fits:
    """Fit trees of each factor, and test them on the rows held out."""
    return fit_labels(rows, seed, max_ranks), fit_reals(rows, seed, max_ranks)


@share_result
def fit_labels(rows: Split, seed: int, max_ranks: int) -> list[Fit]:
    """As `fit_trees` for the factors with labels."""
    pairs = zip(rows.factors.T, rows.test_factors.T, strict=True)
    return _fit(rows, seed, max_ranks, [(boost, accuracy, *pair) for pair in pairs])


@share_result
def fit_reals(rows: Split, seed: int, max_ranks: int) -> list[Fit]:
    """As `fit_trees` for the real factors."""
    pairs = zip(rows.reals.T, rows.test_reals.T, strict=True)
    return _fit(rows, seed, max_ranks, [(boost_real, r_squared, *pair) for pair in pairs])


def _fit(rows: Split, seed: int, max_ranks: int, wanted: list[Any]) -> list[Fit]:
    if not wanted:
        return []
    cuts = cut_points(rows.codes, max_ranks)
    ranks, test_ranks = to_ranks(rows.codes, cuts), to_ranks(rows.test_codes, cuts)

    def fit(k: int, grow: Any, quality: Quality, v: Any, v_test: Any) -> Fit:
        booster = grow(ranks, v, seed=seed + k)
        train, held_out = quality(booster.fitted, v), quality(booster.predict(test_ranks), v_test)
        return Fit(booster.importance / max(booster.importance.sum(), 1e-300), train, held_out)

    return side_by_side(fit, count(), *zip(*wanted, strict=True))


def side_by_side(function: Callable[..., T], *arguments: Iterable[object]) -> list[T]:
    """`map` on several threads, which the kernels allow: they release Python's lock."""
    with ThreadPoolExecutor(n_threads()) as threads:
        return list(threads.map(function, *arguments))
