"""Linear and boosted predictors of real factors, and how well they do."""

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.float64]


def fit_line(z: Table, v: Table, z_test: Table) -> tuple[Table, Table]:
    """Least squares with an intercept: what it predicts in the rows to test and in those to fit."""
    centre = z.mean(axis=0)
    weights = np.linalg.lstsq(z - centre, v - v.mean(), rcond=None)[0]
    return (z_test - centre) @ weights + v.mean(), (z - centre) @ weights + v.mean()


def r_squared(predicted: Table, true: Table) -> float:
    """The part of the variance that is predicted; 0 where a constant does as well or better."""
    around = true - true.mean()
    spread = float(around @ around)
    missed = true - predicted
    return max(0.0, 1 - float(missed @ missed) / spread) if spread else 0.0


def concordance(predicted: Table, true: Table) -> float:
    """The share of pairs of rows that are put in the right order: 0.5 is chance, 1 all.

    What the area under the ROC curve is to two values this is to all real numbers; pairs that
    are predicted equal count half, pairs that are equal not at all.
    """
    order = np.lexsort((predicted, true))
    ranked, truth = predicted[order], true[order]
    n = len(true)
    pairs = n * (n - 1) / 2
    tied_true, tied_predicted = _count_ties(truth), _count_ties(np.sort(predicted))
    both = np.stack([truth, ranked])
    tied_both = _count_tied((both[:, 1:] != both[:, :-1]).any(axis=0))
    wrong = _inversions(ranked)
    equal = tied_predicted - tied_both
    right = pairs - tied_true - equal - wrong
    return float((right + equal / 2) / (pairs - tied_true))


def _count_ties(ordered: Table) -> float:
    return _count_tied(ordered[1:] != ordered[:-1])


def _count_tied(changes: NDArray[np.bool_]) -> float:
    ends = np.concatenate([[-1], np.flatnonzero(changes), [len(changes)]])
    runs = np.diff(ends).astype(float)
    return float(np.sum(runs * (runs - 1) / 2))


def _inversions(x: Table) -> int:
    """Pairs in which the earlier is the greater, by merging sorted blocks of twice the length."""
    ranks = np.unique(x, return_inverse=True)[1].astype(np.int64)
    n, width, found = len(x), 1, 0
    order = ranks.copy()
    while width < n:
        # All blocks at once: ranks are kept apart by the number of their pair of blocks.
        at = np.arange(n)
        block, is_right = at // (2 * width), (at // width) % 2 == 1
        keys = block * (n + 1) + order
        left, right = keys[~is_right], keys[is_right]
        behind = np.searchsorted(left, (block[is_right] + 1) * (n + 1)) - np.searchsorted(
            left, right, side="right"
        )
        found += int(behind.sum())
        order = np.sort(keys) - block * (n + 1)
        width *= 2
    return found
