"""The BetaVAE score (Higgins et al. 2017), from one table of codes."""

import warnings
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.arrays import Floats, Integers
from gordium.checks import check_least
from gordium.metrics._held_out import all_rows
from gordium.metrics._interventions import table_of
from gordium.metrics._kinds import Kinds


class BetaVAEScore(NamedTuple):
    """Accuracy in the rows to test and in the rows to fit."""

    score: float
    train: float


def beta_vae_score(
    codes: ArrayLike,
    factors: ArrayLike,
    *,
    seed: int = 0,
    test: tuple[ArrayLike, ArrayLike] | None = None,
    batch: int = 64,
    kinds: Kinds | None = None,
) -> BetaVAEScore:
    """How well a linear classifier names the factor that two batches share: 0 to 1.

    A point: hold one factor, draw `batch` pairs of rows that agree in it, and take the mean of
    |z - z'|. The score is the accuracy in 5,000 points of multinomial logistic regression
    (C = 1) fitted to 10,000. Not scale-free, and blind to one missing factor. All points are
    drawn from the rows of the table, as from a data set; those scored from `test`, if given.
    Rows agree in a real factor if they share one of its 20 bins of equally many rows.
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    check_least(1, batch=batch)
    rows = all_rows(codes, factors, test, kinds=kinds)
    if rows.factors.shape[1] < 2:
        raise ValueError("at least 2 factors are needed; got 1.")
    rng = np.random.default_rng(seed)
    fit = _points(rows.codes, rows.factors, rng, 10_000, batch)
    scored = _points(rows.test_codes, rows.test_factors, rng, 5_000, batch)
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
        # A hundred steps are part of the definition, converged or not.
        classifier = LogisticRegression(C=1.0, max_iter=100).fit(*fit)
    return BetaVAEScore(float(classifier.score(*scored)), float(classifier.score(*fit)))


def _points(
    z: NDArray[np.floating], v: Integers, rng: np.random.Generator, points: int, batch: int
) -> tuple[Floats, Integers]:
    drawn = [
        (np.abs(z[pair.rows] - z[pair.partners]).mean(axis=1, dtype=np.float64), pair.held)
        for pair in table_of(v).pairs(rng, points, batch)
    ]
    features, held = zip(*drawn, strict=True)
    return np.concatenate(features), np.concatenate(held)
