"""Separated attribute predictability (Kumar et al. 2018), in the estimator of the large study."""

import numpy as np
from numpy.typing import ArrayLike

from gordium.arrays import Floats, Integers
from gordium.metrics._checks import check_continuous
from gordium.metrics._held_out import Split, hold_out
from gordium.metrics._kinds import Kinds
from gordium.metrics._scalar_svm import fit_scalar_svms

ROWS = 4096  # predicted at a time, so that memory does not grow with the samples


def sap(
    codes: ArrayLike,
    factors: ArrayLike,
    *,
    seed: int = 0,
    test: tuple[ArrayLike, ArrayLike] | None = None,
    continuous: bool = False,
    kinds: Kinds | None = None,
) -> float:
    """How much better the best code alone predicts a factor than the runner-up does: 0 to 1.

    The mean over factors of the gap between the two highest scores S_jk. S_jk is the accuracy in
    `test` (without it, the last third of the rows) of a linear support vector machine that
    predicts factor k from code j; if the factor is real, or all are said to be `continuous`, it is
    their squared correlation over `codes` and `factors`, and `test` is not used. Not scale-free:
    the machines are regularised, at C = 0.01. Nothing is drawn.
    """
    if continuous:
        scores = _squared_correlation(*check_continuous(codes, factors, min_codes=2))
    else:
        rows = hold_out(codes, factors, test, kinds=kinds, min_codes=2)
        scores, is_real = _accuracies(rows), rows.known.is_real
        if any(is_real):
            z, v = check_continuous(codes, factors)
            scores = rows.known.merge(scores, _squared_correlation(z, v[:, np.array(is_real)]))
    second, best = np.sort(scores, axis=0)[-2:]
    return float(np.mean(best - second))


def _squared_correlation(z: Floats, v: Floats) -> Floats:
    z, v = z - z.mean(axis=0), v - v.mean(axis=0)
    variance = np.einsum("nj,nj->j", z, z)
    alive = variance > 1e-12 * (len(z) - 1)  # the large study's own limit
    scale = np.where(alive, variance, np.inf)[:, None] * np.einsum("nk,nk->k", v, v)
    return (z.T @ v) ** 2 / scale


def _accuracies(rows: Split) -> Floats:
    pairs = zip(rows.codes.T, rows.test_codes.T, strict=True)
    tables = ((code.astype(np.float64), test.astype(np.float64)) for code, test in pairs)
    return np.array([_of_code(code, test, rows) for code, test in tables])


def _of_code(code: Floats, test: Floats, rows: Split) -> list[float]:
    """The accuracy for every factor from one code alone."""
    if not rows.factors.size:
        return []
    sizes = rows.factors.max(axis=0) + 1
    lines = fit_scalar_svms(code, rows.factors)
    per_factor = np.split(lines, np.cumsum(sizes)[:-1], axis=1)
    pairs = zip(per_factor, rows.test_factors.T, strict=True)
    return [float(np.mean(_predict(test, *line) == truth)) for line, truth in pairs]


def _predict(code: Floats, slope: Floats, intercept: Floats) -> Integers:
    chunks = (code[start : start + ROWS, None] for start in range(0, len(code), ROWS))
    return np.concatenate([np.argmax(chunk * slope + intercept, axis=1) for chunk in chunks])
