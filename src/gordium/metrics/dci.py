"""Disentanglement, completeness and informativeness (Eastwood and Williams 2018)."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.metrics._boosting import MAX_RANKS, boost, boost_real, cut_points, n_threads, to_ranks
from gordium.metrics._held_out import Split, hold_out
from gordium.metrics._kinds import Kinds
from gordium.metrics._regression import r_squared

Table = NDArray[np.float64]
Fit = tuple[Table, float, float]  # importance of the codes, quality in the rows to fit, to test
Fits = tuple[list[Fit], list[Fit]]  # of the factors with labels, of the real ones


class DCI(NamedTuple):
    """Informativeness is accuracy on the test rows; `importance` is (codes, factors)."""

    disentanglement: float
    completeness: float
    informativeness: float
    informativeness_train: float
    importance: Table


def dci(
    codes: ArrayLike,
    factors: ArrayLike,
    *,
    seed: int = 0,
    test: tuple[ArrayLike, ArrayLike] | None = None,
    mode: Literal["fast", "quantiles", "reference"] = "fast",
    kinds: Kinds | None = None,
) -> DCI:
    """Whether each code serves one factor, each factor needs one code, and all can be read off.

    R_jk is the importance of code j in boosted trees that predict factor k, with sum 1 over j.
    D = sum_j rho_j (1 - H_K(R_j.)) with rho_j = sum_k R_jk / sum R, C = mean_k (1 - H_d(R_.k)),
    entropies to base K and d, as in the large study. One factor leaves D undefined, one code C:
    they are NaN. Mode "reference" fits the trees of scikit-learn, as the study did; "fast" our
    own, of the same model; "quantiles" cuts codes at 1,024 quantiles first, for tables of very
    many rows, with less overfitting and so a lower D. The trees of a real factor regress (squared
    error), and its informativeness is R^2, at least 0. `seed` decides between codes that split
    equally well.
    """
    if mode not in _FITS:
        raise ValueError(f"mode must be one of {', '.join(_FITS)}; got {mode!r}.")
    rows = hold_out(codes, factors, test, kinds=kinds)
    fits, real_fits = _FITS[mode](rows, seed)
    importance = rows.known.merge(
        *(_columns(some, rows.codes.shape[1]) for some in (fits, real_fits))
    )
    _, train, held_out = zip(*fits, *real_fits, strict=True)
    weights = importance.sum(axis=1) / max(importance.sum(), 1e-300)
    return DCI(
        float(weights @ _concentration(importance.T)),
        float(np.mean(_concentration(importance))),
        float(np.mean(held_out)),
        float(np.mean(train)),
        importance,
    )


def _columns(fits: list[Fit], n_codes: int) -> Table:
    columns = [column for column, _, _ in fits]
    return np.stack(columns, axis=1) if columns else np.empty((n_codes, 0))


def _concentration(importance: Table) -> Table:
    """One minus the entropy of each column, to the base of its length."""
    if len(importance) == 1:
        return np.full(importance.shape[1], np.nan)
    p = importance + 1e-11  # as the study: a column of zeros is uniform
    p /= p.sum(axis=0)
    return 1 + np.sum(p * np.log(p), axis=0) / np.log(len(p))


def _fit_fast(rows: Split, seed: int, max_ranks: int = MAX_RANKS) -> Fits:
    cuts = cut_points(rows.codes, max_ranks)
    ranks, test_ranks = to_ranks(rows.codes, cuts), to_ranks(rows.test_codes, cuts)

    def fit(k: int) -> Fit:
        labels, test_labels = rows.factors[:, k], rows.test_factors[:, k]
        booster = boost(ranks, labels, seed=seed + k)
        predicted = booster.predict(test_ranks)
        train, held_out = np.mean(booster.fitted == labels), np.mean(predicted == test_labels)
        return _share(booster.importance), train, held_out

    def fit_real(k: int) -> Fit:
        v, v_test = rows.reals[:, k], rows.test_reals[:, k]
        booster = boost_real(ranks, v, seed=seed + k)
        train, held_out = (
            r_squared(booster.fitted, v),
            r_squared(booster.predict(test_ranks), v_test),
        )
        return _share(booster.importance), train, held_out

    # The kernels hold no lock: factors are fitted side by side where there are processors.
    with ThreadPoolExecutor(n_threads()) as threads:
        fits = list(threads.map(fit, range(rows.factors.shape[1])))
        return fits, list(threads.map(fit_real, range(rows.reals.shape[1])))


def _share(importance: Table) -> Table:
    return importance / max(importance.sum(), 1e-300)


def _fit_reference(rows: Split, seed: int) -> Fits:
    from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

    def fit(model: Any, v: Any, v_test: Any, quality: Callable[[Any, Any], float]) -> Fit:
        model.fit(rows.codes, v)
        train, held_out = (model.predict(z) for z in (rows.codes, rows.test_codes))
        return model.feature_importances_, quality(train, v), quality(held_out, v_test)

    labels = zip(rows.factors.T, rows.test_factors.T, strict=True)
    reals = zip(rows.reals.T, rows.test_reals.T, strict=True)
    return (
        [fit(GradientBoostingClassifier(random_state=seed), *v, _accuracy) for v in labels],
        [fit(GradientBoostingRegressor(random_state=seed), *v, r_squared) for v in reals],
    )


def _accuracy(predicted: Any, true: Any) -> float:
    return float(np.mean(predicted == true))


_FITS: dict[str, Callable[[Split, int], Fits]] = {
    "fast": _fit_fast,
    "quantiles": partial(_fit_fast, max_ranks=1024),
    "reference": _fit_reference,
}
