"""Explicitness (Ridgeway and Mozer 2018), in the estimator of the large study."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.arrays import Floats, Integers
from gordium.metrics._held_out import hold_out
from gordium.metrics._kinds import Kinds
from gordium.metrics._logistic import fit_softmax, probabilities
from gordium.metrics._regression import concordance, fit_line


class Explicitness(NamedTuple):
    """The score in the rows to test and in the rows to fit."""

    score: float
    train: float


def explicitness(
    codes: ArrayLike,
    factors: ArrayLike,
    *,
    seed: int = 0,
    test: tuple[ArrayLike, ArrayLike] | None = None,
    kinds: Kinds | None = None,
) -> Explicitness:
    """How well all codes together tell the values of each factor, linearly: 0.5 is chance, 1 all.

    The mean over factors of the mean over their values of the area under the ROC curve, of each
    value against the rest, by multinomial logistic regression (C = 1) on standardised codes. It
    is taken in `test` (without it, in the last third of the rows); a value that does not occur
    there is left out of the mean, and dead codes are left out of the regression. For a real factor
    it is the share of pairs of rows that linear regression puts in order. Nothing is drawn.
    """
    rows = hold_out(codes, factors, test, kinds=kinds)
    _check_vary(rows.test_factors)
    _check_vary(rows.test_reals)
    alive = (rows.codes != rows.codes[0]).any(axis=0)
    if not alive.any():
        return Explicitness(0.5, 0.5)
    z, z_test = (table[:, alive].astype(np.float64) for table in (rows.codes, rows.test_codes))
    centre, scale = z.mean(axis=0), z.std(axis=0)
    z, z_test = (z - centre) / scale, (z_test - centre) / scale
    labels = zip(rows.factors.T, rows.test_factors.T, strict=True)
    areas = [_of_factor(z, v, z_test, v_test) for v, v_test in labels]
    reals = zip(rows.reals.T, rows.test_reals.T, strict=True)
    areas += [_of_real(z, v, z_test, v_test) for v, v_test in reals]
    return Explicitness(*map(float, np.array(areas).mean(axis=0)))


def _of_real(z: Floats, v: Floats, z_test: Floats, v_test: Floats) -> tuple[float, float]:
    tested, fitted = fit_line(z, v, z_test)
    return concordance(tested, v_test), concordance(fitted, v)


def _of_factor(z: Floats, v: Integers, z_test: Floats, v_test: Integers) -> tuple[float, float]:
    weights = fit_softmax(z, v)
    return _area(probabilities(weights, z_test), v_test), _area(probabilities(weights, z), v)


def _area(sureness: Floats, truth: Integers) -> float:
    """Mean over values of the chance that a row of the value is ranked above one of the rest."""
    areas = []
    for value in np.unique(truth[truth >= 0]):
        own = sureness[value, truth == value]
        ranked = np.sort(sureness[value])
        below, up_to = (np.searchsorted(ranked, own, side) for side in ("left", "right"))
        above = int(below.sum() + up_to.sum()) / 2 - len(own) ** 2 / 2  # minus pairs of own rows
        areas.append(above / (len(own) * (len(truth) - len(own))))
    return float(np.mean(areas))


def _check_vary(factors: NDArray[Any]) -> None:
    bad = np.flatnonzero((factors == factors[0]).all(axis=0)).tolist()
    if bad:
        raise ValueError(
            f"factor columns {bad} take one value in the {len(factors)} rows to test; "
            "shuffle the rows or pass more in test=."
        )
