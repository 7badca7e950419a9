"""Linear regression of real factors, and measures of how good predictions are."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gordium.arrays import Floats


def fit_line(z: Floats, v: Floats, z_test: Floats) -> tuple[Floats, Floats]:
    """What least squares with an intercept predict in the rows to test, and in those to fit."""
    centre = z.mean(axis=0)
    weights = np.linalg.lstsq(z - centre, v - v.mean(), rcond=None)[0]
    return (z_test - centre) @ weights + v.mean(), (z - centre) @ weights + v.mean()


def accuracy(predicted: NDArray[Any], true: NDArray[Any]) -> float:
    """The share of rows whose value is predicted."""
    return float(np.mean(predicted == true))


def r_squared(predicted: Floats, true: Floats) -> float:
    """The share of the variance that is predicted; 0 where a constant does as well or better."""
    around = true - true.mean()
    spread = float(around @ around)
    missed = true - predicted
    return max(0.0, 1 - float(missed @ missed) / spread) if spread else 0.0


def concordance(predicted: Floats, true: Floats) -> float:
    """The share of pairs of rows that are put in the right order: 0.5 is chance, 1 all.

    What the area under the ROC curve is to two values this is to all real numbers; pairs that
    are predicted equal count half, pairs that are equal not at all.
    """
    from scipy.stats import kendalltau

    pairs = len(true) * (len(true) - 1) / 2
    differ, told_apart = pairs - _count_ties(true), pairs - _count_ties(predicted)
    if told_apart == 0:
        return 0.5
    # Tau is (right - wrong) / sqrt(differ * told_apart), of which the numerator is whole.
    tau = kendalltau(predicted, true).statistic
    surplus = np.rint(tau * np.sqrt(differ * told_apart))
    return float((differ + surplus) / 2 / differ)


def _count_ties(values: Floats) -> float:
    """The number of pairs of equal values."""
    counts = np.unique(values, return_counts=True)[1].astype(float)
    return float(np.sum(counts * (counts - 1) / 2))
