"""Which latent units carry information about the image."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.arrays import Floats, Integers

ACTIVE_BELOW = 0.8


def active_units(
    log_variances: NDArray[Any], *, threshold: float = ACTIVE_BELOW
) -> NDArray[np.bool_]:
    """Which latent units carry information: E[sigma^2] < 0.8 (Zietlow et al. 2021, 5.3)."""
    return _mean_variances(log_variances) < threshold


def importance_order(log_variances: ArrayLike) -> Integers:
    """Order units by rising mean posterior variance: Zietlow et al. 2021, (13) and (14).

    So the most important unit comes first; of equal ones, the one with the lower number.
    """
    return np.argsort(_mean_variances(log_variances), kind="stable")


def _mean_variances(log_variances: ArrayLike) -> Floats:
    table = np.asarray(log_variances, dtype=np.float64)
    if table.ndim != 2 or 0 in table.shape:
        raise ValueError(f"log_variances must be (n_samples, n_units); got {table.shape}.")
    return np.asarray(np.exp(table).mean(axis=0))
