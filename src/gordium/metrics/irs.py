"""The interventional robustness score (Suter et al. 2019), in the estimator of the large study."""

import numpy as np
from numpy.typing import ArrayLike

from gordium.arrays import Floats, Integers
from gordium.metrics._checks import check_continuous
from gordium.metrics._information import discretise


def irs(
    codes: ArrayLike,
    factors: ArrayLike,
    *,
    seed: int = 0,
    bins: int = 20,
    quantile: float = 0.99,
) -> float:
    """How little a code moves while its own factor rests and the others vary: at most 1.

    For code l and factor i, d_li is the mean over the values of i of the `quantile` of
    |z_l - E[z_l | i]|, and M_l the greatest |z_l - E[z_l]|. The score is the mean over codes of
    max_i (1 - d_li / M_l), weighted by M_l. Factors, integers or not, are cut into `bins`
    equal-width bins; dead codes are left out. The paper's own definition is `quantile=1`; below
    1 even pure noise scores well above 0. Nothing is drawn.
    """
    if not isinstance(bins, int) or bins < 2:
        raise ValueError(f"bins must be at least 2; got {bins!r}.")
    if not 0 < quantile <= 1:
        raise ValueError(f"quantile must be above 0 and at most 1; got {quantile}.")
    z, v = check_continuous(codes, factors)
    z = z[:, (z != z[0]).any(axis=0)]
    if not z.size:
        return 0.0
    values = discretise(v, bins)
    _check_rest(values)
    greatest = np.abs(z - z.mean(axis=0)).max(axis=0)
    moved = np.stack([_deviation(z, held, quantile) for held in values.T])
    return float((greatest - moved.min(axis=0)).sum() / greatest.sum())


def _check_rest(values: Integers) -> None:
    """Refuse factors most of whose values have a single row: no code moves while these rest."""
    counts = [np.unique(column, return_counts=True)[1] for column in values.T]
    bad = [k for k, count in enumerate(counts) if 2 * np.sum(count == 1) > len(count)]
    if bad:
        raise ValueError(
            f"most values of factor columns {bad} occur in one of the {len(values)} samples alone, "
            "so that nothing moves while they rest; draw more samples or pass fewer bins."
        )


def _deviation(z: Floats, held: Integers, quantile: float) -> Floats:
    """d_l of every code while one factor is held: the unweighted mean over its values."""
    _, starts = np.unique(np.sort(held), return_index=True)
    groups = np.split(z[np.argsort(held, kind="stable")], starts[1:])
    away = (np.abs(group - group.mean(axis=0)) for group in groups)
    return np.mean([np.quantile(group, quantile, axis=0) for group in away], axis=0)
