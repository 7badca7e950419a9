"""InfoMEC: modularity, explicitness and compactness in information (Hsu et al. 2023)."""

import warnings
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.arrays import Floats, Integers
from gordium.metrics._arrays import check_memory
from gordium.metrics._checks import check_bins, check_pair
from gordium.metrics._held_out import Split, hold_out
from gordium.metrics._information import discretise, information, share_told
from gordium.metrics._kinds import Kinds
from gordium.metrics._regression import fit_line, r_squared

LEAST_RANGE = 1 / 20  # of the widest code's range; a code below it is inactive


class InfoMEC(NamedTuple):
    """`shared` is I(z_j; v_k) / H(v_k), (codes, factors), inactive codes included."""

    modularity: float
    explicitness: float
    compactness: float
    shared: Floats
    is_active: NDArray[np.bool_]


def infomec(  # noqa: PLR0913 - all by keyword
    codes: ArrayLike,
    factors: ArrayLike,
    *,
    seed: int = 0,
    test: tuple[ArrayLike, ArrayLike] | None = None,
    bins: int = 20,
    balanced: bool = False,
    kinds: Kinds | None = None,
) -> InfoMEC:
    """Whether codes tell one factor each, linear models read factors off, factors use one code.

    With N = I(z_j; v_k) / H(v_k) over the active codes, InfoM is the mean over codes of
    max_k N / sum_k N, InfoC that over factors of max_j N / sum_j N, both rescaled so that 1/K
    and 1/d become 0. InfoE is the mean over factors of 1 - L / L_0, the log-losses in `test` of
    logistic regression without penalty and of a constant. Codes of more than `bins` values are
    cut into equal-width bins, where the authors use nearest neighbours; they also take InfoE in
    the fitted rows (pass them as `test`) with `balanced` classes. Of a real factor N is
    1 - exp(-2 I) by 3 nearest neighbours, and InfoE the R^2 of linear regression, at least 0. NaN
    with one factor (InfoM) or one active code (InfoC). Nothing is drawn.
    """
    z, v = check_pair(codes, factors, kinds=kinds)
    check_bins(bins, z)
    is_active = np.ptp(z, axis=0) > LEAST_RANGE * np.ptp(z, axis=0).max()
    shared = share_told(information(z, _labels(z, bins), v), v)
    return InfoMEC(
        _concentration(shared[is_active].T),
        _explicitness(hold_out(codes, factors, test, kinds=kinds), balanced),
        _concentration(shared[is_active]),
        shared,
        is_active,
    )


def _labels(z: NDArray[np.floating], bins: int) -> Integers:
    values = [np.unique(column, return_inverse=True) for column in z.T]
    cut = discretise(z, bins)
    columns = [
        labels if len(known) <= bins else column
        for (known, labels), column in zip(values, cut.T, strict=True)
    ]
    return np.stack(columns, axis=1)


def _concentration(shared: Floats) -> float:
    """Mean over columns of the greatest share, from 0 (all equal) to 1 (one has all)."""
    n = len(shared)
    if n == 0 or shared.shape[1] == 0:
        return 0.0  # no code is active
    if n == 1:
        return float("nan")
    total = shared.sum(axis=0)
    told = total > 1e-12  # a column that tells nothing is as spread as can be
    share = np.where(told, shared.max(axis=0) / np.where(told, total, 1), 1 / n)
    return float((share.mean() - 1 / n) / (1 - 1 / n))


def _explicitness(rows: Split, balanced: bool) -> float:
    unknown = np.flatnonzero((rows.test_factors < 0).any(axis=0))
    if unknown.size:
        raise ValueError(
            f"factor columns {unknown.tolist()} take values in the rows to test that do not "
            "occur in the rows to fit; shuffle the rows or draw more."
        )
    centre, scale = rows.codes.mean(axis=0), rows.codes.std(axis=0)
    scale = np.where((rows.codes == rows.codes[0]).all(axis=0), 1, scale)
    z, z_test = (rows.codes - centre) / scale, (rows.test_codes - centre) / scale
    labels = zip(rows.factors.T, rows.test_factors.T, strict=True)
    told = [_measure_told(z, v, z_test, v_test, balanced) for v, v_test in labels]
    reals = zip(rows.reals.T, rows.test_reals.T, strict=True)
    told += [r_squared(fit_line(z, v, z_test)[0], v_test) for v, v_test in reals]
    return float(np.mean(told))


def _measure_told(
    z: Floats, v: Integers, z_test: Floats, v_test: Integers, balanced: bool
) -> float:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    check_memory(int(v.max()) + 1, len(v), 16)
    weights = "balanced" if balanced else None
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
        # Where classes can be separated the weights grow for ever; the authors do 100 steps.
        model = LogisticRegression(C=1e10, class_weight=weights, max_iter=100).fit(z, v)
    sureness = model.predict_proba(z_test)[np.arange(len(v_test)), v_test]
    counts = np.bincount(v)
    prior = np.full(len(counts), 1 / len(counts)) if balanced else counts / len(v)
    loss = -np.mean(np.log(sureness.clip(min=1e-15)))
    return float(1 - loss / -np.mean(np.log(prior[v_test])))
