"""Disentanglement, completeness and informativeness (Eastwood and Williams 2018)."""

from concurrent.futures import ThreadPoolExecutor
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.metrics._boosting import boost, cut_points, n_threads, to_ranks
from gordium.metrics._held_out import Split, hold_out

Table = NDArray[np.float64]


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
    mode: Literal["fast", "reference"] = "fast",
) -> DCI:
    """Whether each code serves one factor, each factor needs one code, and all can be read off.

    R_jk is the importance of code j in boosted trees that predict factor k, with sum 1 over j.
    D = sum_j rho_j (1 - H_K(R_j.)) with rho_j = sum_k R_jk / sum R, C = mean_k (1 - H_d(R_.k)),
    entropies to base K and d, as in the large study. One factor leaves D undefined, one code C:
    they are NaN. Mode "reference" fits the trees of scikit-learn, as the study did; "fast" our
    own, of the same model. `seed` decides between codes that split equally well.
    """
    if mode not in _FITS:
        raise ValueError(f"mode must be one of {', '.join(_FITS)}; got {mode!r}.")
    importance, train, held_out = _FITS[mode](hold_out(codes, factors, test), seed)
    weights = importance.sum(axis=1) / max(importance.sum(), 1e-300)
    return DCI(
        float(weights @ _concentration(importance.T)),
        float(np.mean(_concentration(importance))),
        held_out,
        train,
        importance,
    )


def _concentration(importance: Table) -> Table:
    """One minus the entropy of each column, to the base of its length."""
    if len(importance) == 1:
        return np.full(importance.shape[1], np.nan)
    p = importance + 1e-11  # as the study: a column of zeros is uniform
    p /= p.sum(axis=0)
    return 1 + np.sum(p * np.log(p), axis=0) / np.log(len(p))


def _fit_fast(rows: Split, seed: int) -> tuple[Table, float, float]:
    cuts = cut_points(rows.codes)
    ranks, test_ranks = to_ranks(rows.codes, cuts), to_ranks(rows.test_codes, cuts)

    def fit(k: int) -> tuple[Table, float, float]:
        labels, test_labels = rows.factors[:, k], rows.test_factors[:, k]
        booster = boost(ranks, labels, seed=seed + k)
        column = booster.importance / max(booster.importance.sum(), 1e-300)
        predicted = booster.predict(test_ranks)
        return column, np.mean(booster.fitted == labels), np.mean(predicted == test_labels)

    # The kernels hold no lock: factors are fitted side by side where there are processors.
    with ThreadPoolExecutor(n_threads()) as threads:
        fits = list(threads.map(fit, range(rows.factors.shape[1])))
    columns, train, held_out = zip(*fits, strict=True)
    return np.stack(columns, axis=1), float(np.mean(train)), float(np.mean(held_out))


def _fit_reference(rows: Split, seed: int) -> tuple[Table, float, float]:
    from sklearn.ensemble import GradientBoostingClassifier

    columns, train, held_out = [], [], []
    for labels, test_labels in zip(rows.factors.T, rows.test_factors.T, strict=True):
        model = GradientBoostingClassifier(random_state=seed).fit(rows.codes, labels)
        columns.append(model.feature_importances_)
        train.append(np.mean(model.predict(rows.codes) == labels))
        held_out.append(np.mean(model.predict(rows.test_codes) == test_labels))
    return np.stack(columns, axis=1), float(np.mean(train)), float(np.mean(held_out))


_FITS = {"fast": _fit_fast, "reference": _fit_reference}
