"""Warnings about the order of rows: a predictor is tested on the last ones, so it must be random.

Rows must not be repeated either.
"""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gordium.arrays import Floats
from gordium.metrics._shared_work import share_result

FEW = 1 / 20  # the share of rows to test that may repeat a row to fit
SURE = 8.0  # standard deviations from what random order gives
CLASSES = 20  # into which the values of a factor are merged if it has more


class RowsWarning(UserWarning):
    """Held-out rows do not test fairly a predictor that is fitted to the other rows."""


@share_result
def warn_of_rows(codes: NDArray[Any], factors: NDArray[Any]) -> None:
    """Warn if the last third of the rows repeats earlier ones, or holds other values than they."""
    kept = len(codes) - len(codes) // 3
    ordered = [k for k, column in enumerate(factors.T) if _is_ordered(column, kept)]
    if ordered:
        said = (
            f"the rows are not in random order: factor columns {ordered} take other values in the "
            "last third, which tests predictors (the last fifth in disentanglement_score), than "
            "before. Shuffle codes and factors alike, or pass test=(codes, factors) to the metric "
            "itself."
        )
    elif (repeated := _share_repeated(codes, factors, kept)) > FEW:
        said = (
            f"{repeated:.0%} of the rows that test the predictors repeat rows they are fitted to, "
            "codes and factors, and may be known by heart. Score each image once, or pass "
            "test=(codes, factors) of other images to the metric itself."
        )
    else:
        return
    warnings.warn(said, RowsWarning, stacklevel=3)


def _is_ordered(column: NDArray[Any], kept: int) -> bool:
    """Whether fitted and tested rows differ more in values than a shuffle allows: chi-square."""
    _, values, counts = np.unique(column, return_inverse=True, return_counts=True)
    if len(counts) > CLASSES:  # neighbours share a class
        merged = (np.cumsum(counts) - counts) * CLASSES // len(column)
        values = np.unique(merged, return_inverse=True)[1][values]
    counts, tested = np.bincount(values), np.bincount(values[kept:], minlength=values.max() + 1)
    share = 1 - kept / len(column)
    excess = float(np.sum((tested - share * counts) ** 2 / (share * (1 - share) * counts)))
    return excess > len(counts) - 1 + SURE * np.sqrt(2 * len(counts)) + SURE


def _share_repeated(codes: NDArray[Any], factors: NDArray[Any], kept: int) -> float:
    """The share of tested rows that repeat a fitted row.

    It is 0 if no code has more values than a factor, or than 20: such codes are labels, and rows
    agree in them without being copies.
    """
    rows = _fingerprints(np.hstack([codes.astype(np.float64), factors.astype(np.float64)]))
    share = float(np.isin(rows[kept:], rows[:kept]).mean())
    if share <= FEW:
        return share
    most = max(CLASSES, *(len(np.unique(column)) for column in factors.T))
    return share if any(len(np.unique(column)) > most for column in codes.T) else 0.0


def _fingerprints(rows: Floats) -> NDArray[np.uint64]:
    """A hash of each row, equal for equal rows."""
    odd = np.random.default_rng(0).integers(2**64, size=rows.shape[1], dtype=np.uint64) | 1
    bits = (rows + 0.0).view(np.uint64)  # adding 0.0 turns -0.0 into 0.0
    bits ^= bits >> np.uint64(32)
    return (bits * odd).sum(axis=1, dtype=np.uint64)
