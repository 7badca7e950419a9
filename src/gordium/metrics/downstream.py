"""Accuracy of predictors of the factors, and how few samples they need (Locatello et al. 2019)."""

import warnings
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.metrics._boosting import boost, cut_points, to_ranks
from gordium.metrics._held_out import Split, hold_out

Codes = NDArray[np.floating]
Labels = NDArray[np.int64]
Fit = Callable[[Codes, Labels, Codes, int], Labels]

FEW = 100


class Downstream(NamedTuple):
    """Mean test accuracy over factors at the greatest size; `accuracies` is (sizes, factors)."""

    accuracy: float
    efficiency: float
    sizes: tuple[int, ...]
    accuracies: NDArray[np.float64]


def downstream(
    codes: ArrayLike,
    factors: ArrayLike,
    *,
    seed: int = 0,
    test: tuple[ArrayLike, ArrayLike] | None = None,
    model: Literal["boosted_trees", "logistic_regression"] = "boosted_trees",
    sizes: Sequence[int] = (10, 100, 1000, 10000),
) -> Downstream:
    """How well factors are predicted from all codes after seeing few or many samples.

    For each size so many of the rows are drawn, a predictor of each factor is fitted to them and
    its accuracy taken in `test` (without it, in the last third of the rows). Efficiency is the
    accuracy after 100 over that after the greatest size; NaN without a size of 100. A size above
    the number of rows to fit is cut to it. The predictors are those of the large study: trees as
    in `dci`, or logistic regression with its penalty of ten chosen by five-fold cross-validation.
    """
    if model not in _FITS:
        raise ValueError(f"model must be one of {', '.join(_FITS)}; got {model!r}.")
    if not sizes or min(sizes) < 1:
        raise ValueError(f"sizes must be positive numbers of samples; got {tuple(sizes)}.")
    rows = hold_out(codes, factors, test)
    used = tuple(sorted({min(size, len(rows.codes)) for size in sizes}))
    drawn = [np.random.default_rng((seed, size)).permutation(len(rows.codes)) for size in used]
    accuracies = np.array(
        [_accuracies(rows, d[:n], _FITS[model], seed) for d, n in zip(drawn, used, strict=True)]
    )
    means = accuracies.mean(axis=1)
    few = means[used.index(FEW)] if FEW in used else np.nan
    efficiency = few / means[-1] if means[-1] else np.nan
    return Downstream(float(means[-1]), float(efficiency), used, accuracies)


def _accuracies(rows: Split, drawn: Labels, fit: Fit, seed: int) -> list[float]:
    z = rows.codes[drawn]
    accuracies = []
    for v, v_test in zip(rows.factors[drawn].T, rows.test_factors.T, strict=True):
        values, labels = np.unique(v, return_inverse=True)
        found = np.zeros(len(v_test), dtype=np.int64)  # right when one value was seen
        if len(values) > 1:
            found = fit(z, labels, rows.test_codes, seed)
        accuracies.append(float(np.mean(values[found] == v_test)))
    return accuracies


def _boosted_trees(z: Codes, labels: Labels, z_test: Codes, seed: int) -> Labels:
    cuts = cut_points(z)
    return boost(to_ranks(z, cuts), labels, seed=seed).predict(to_ranks(z_test, cuts))


def _logistic_regression(z: Codes, labels: Labels, z_test: Codes, seed: int) -> Labels:
    from sklearn.linear_model import LogisticRegressionCV
    from sklearn.model_selection import KFold

    folds = KFold(min(5, len(z)))
    with warnings.catch_warnings():
        # A hundred steps, and folds without some of the values, are part of the definition.
        warnings.simplefilter("ignore")
        model = LogisticRegressionCV(Cs=10, cv=folds, max_iter=100, random_state=seed)
        found: Labels = model.fit(z, labels).predict(z_test)
    return found


_FITS: dict[str, Fit] = {
    "boosted_trees": _boosted_trees,
    "logistic_regression": _logistic_regression,
}
