"""Accuracy of predictors of the factors, and how few samples they need (Locatello et al. 2019)."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.arrays import Floats, Integers
from gordium.lookup import answer_wrong_calls
from gordium.metrics._binned import MOST_ROWS, boost_binned
from gordium.metrics._boosting import boost, boost_real, cut_points, to_ranks
from gordium.metrics._held_out import Split, hold_out
from gordium.metrics._kinds import Kinds
from gordium.metrics._regression import accuracy, r_squared
from gordium.metrics._trees import fit_labels, fit_reals, ranks_told_apart, side_by_side

Codes = NDArray[np.floating]
Fit = Callable[[Any, Integers, Any, int], Integers]  # of codes, or for trees of their ranks
FitReal = Callable[[Any, Floats, Any, int], Floats]

FEW, TREES = 100, "boosted_trees"


class Downstream(NamedTuple):
    """Mean test accuracy over factors at the greatest size; `accuracies` is (sizes, factors)."""

    accuracy: float
    efficiency: float
    sizes: tuple[int, ...]
    accuracies: Floats


@answer_wrong_calls
def downstream(  # noqa: PLR0913 - all by keyword
    codes: ArrayLike,
    factors: ArrayLike,
    *,
    seed: int = 0,
    test: tuple[ArrayLike, ArrayLike] | None = None,
    model: Literal["boosted_trees", "logistic_regression"] = "boosted_trees",
    mode: Literal["fast", "exact"] = "fast",
    sizes: Sequence[int] = (10, 100, 1000, 10000),
    kinds: Kinds | None = None,
) -> Downstream:
    """How well factors are predicted from all codes after seeing few or many samples.

    For each size so many of the rows are drawn, a predictor of each factor is fitted to them and
    its accuracy taken in `test` (without it, in the last third of the rows). Efficiency is the
    accuracy after 100 over that after the greatest size; NaN without a size of 100. A size above
    the number of rows to fit is cut to it. The predictors are those of the large study: boosted
    trees, or logistic regression with its penalty of ten chosen by five-fold cross-validation.
    Trees cut codes at 255 quantiles; in mode "exact", and for more than 32,768 rows, as in `dci`.
    Of a real factor they are trees that regress, or ridge regression, and R^2, at least 0, is the
    accuracy.
    """
    if model not in _FITS:
        raise ValueError(f"model must be one of {', '.join(_FITS)}; got {model!r}.")
    if mode not in ("fast", "exact"):
        raise ValueError(f"mode must be one of fast, exact; got {mode!r}.")
    if not isinstance(sizes, Sequence) or not sizes or min(sizes) < 1:
        raise ValueError(f"sizes must be positive numbers of samples, (100, 1000); got {sizes!r}.")
    rows = hold_out(codes, factors, test, kinds=kinds)
    used = tuple(sorted({min(size, len(rows.codes)) for size in sizes}))
    drawn = [np.random.default_rng((seed, size)).permutation(len(rows.codes)) for size in used]
    with warnings.catch_warnings():
        # A hundred steps, and folds without some of the values, are part of the definition.
        warnings.simplefilter("ignore")
        accuracies = np.array(
            [_accuracies(rows, d[:n], model, mode, seed) for d, n in zip(drawn, used, strict=True)]
        )
    means = accuracies.mean(axis=1)
    few = means[used.index(FEW)] if FEW in used else np.nan
    efficiency = few / means[-1] if means[-1] else np.nan
    return Downstream(float(means[-1]), float(efficiency), used, accuracies)


def _accuracies(rows: Split, drawn: Integers, model: str, mode: str, seed: int) -> Floats:
    z: NDArray[Any] = rows.codes[drawn]
    z_test: NDArray[Any] = rows.test_codes
    (fit, fit_real), told = _FITS[model], None
    if model == TREES:
        is_exact = mode == "exact" or len(drawn) > MOST_ROWS
        if len(drawn) == len(rows.codes):  # exact ones are those of DCI, for both at once
            most = ranks_told_apart(len(drawn))
            told = [trees.held_out for trees in fit_reals(rows, seed, most)]
            if is_exact:
                right = [trees.held_out for trees in fit_labels(rows, seed, most)]
                return rows.known.merge(right, told)
        cuts = cut_points(z)
        z, z_test = to_ranks(z, cuts), to_ranks(z_test, cuts)
        fit = _fit_exact if is_exact else fit

    def share_right(v: Integers, v_test: Integers) -> float:
        values, labels = np.unique(v, return_inverse=True)
        found = np.zeros(len(v_test), dtype=np.int64)  # right when one value was seen
        if len(values) > 1:
            found = fit(z, labels, z_test, seed)
        return accuracy(values[found], v_test)

    def share_told(v: Floats, v_test: Floats) -> float:
        return r_squared(fit_real(z, v, z_test, seed), v_test)

    right = side_by_side(share_right, rows.factors[drawn].T, rows.test_factors.T)
    if told is None:
        told = side_by_side(share_told, rows.reals[drawn].T, rows.test_reals.T)
    return rows.known.merge(right, told)


def _fit_exact(ranks: Any, labels: Integers, tested: Any, seed: int) -> Integers:
    found: Integers = boost(ranks, labels, seed=seed).predict(tested)
    return found


def _logistic_regression(z: Codes, labels: Integers, z_test: Codes, seed: int) -> Integers:
    from sklearn.linear_model import LogisticRegressionCV
    from sklearn.model_selection import KFold

    folds = KFold(min(5, len(z)))
    model = LogisticRegressionCV(Cs=10, cv=folds, max_iter=100, random_state=seed)
    found: Integers = model.fit(z, labels).predict(z_test)
    return found


def _ridge_regression(z: Codes, v: Floats, z_test: Codes, seed: int) -> Floats:
    from sklearn.linear_model import RidgeCV
    from sklearn.model_selection import KFold

    folds = KFold(min(5, len(z))) if len(z) > 1 else None
    model = RidgeCV(np.logspace(-4, 4, 10), cv=folds, scoring="neg_mean_squared_error")
    found: Floats = model.fit(z, v).predict(z_test)
    return found


_FITS: dict[str, tuple[Fit, FitReal]] = {  # of factors with labels, and of real ones
    TREES: (
        lambda ranks, v, tested, seed: boost_binned(ranks, v, seed=seed).predict(tested),
        lambda ranks, v, tested, seed: boost_real(ranks, v, seed=seed).predict(tested),
    ),
    "logistic_regression": (_logistic_regression, _ridge_regression),
}
