"""Which latent units matter most."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def importance_order(log_variances: ArrayLike) -> NDArray[np.int64]:
    """Units by rising mean posterior variance, the most important first: Zietlow 2021 (13), (14).

    Of equal ones the lower number comes first.
    """
    log_var = np.asarray(log_variances, dtype=np.float64)
    if log_var.ndim != 2 or 0 in log_var.shape:
        raise ValueError(f"log_variances must be (n_samples, n_units); got {log_var.shape}.")
    return np.argsort(np.exp(log_var).mean(axis=0), kind="stable")
