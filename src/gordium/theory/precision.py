"""How noise is best distributed over latent units (Rolinek et al. 2019, Section 4.1).

A decoder's Jacobian is (n, d); its columns c_j are the images of the latent axes. `budget` is the
C of (23), the sum over units of -log sigma^2.
"""

import numpy as np

from gordium.arrays import Floats


def column_norms(jacobian: Floats) -> Floats:
    """The lengths |c_j| of the columns (..., d)."""
    return np.linalg.norm(jacobian, axis=-2)


def stochastic_loss(jacobian: Floats, variances: Floats) -> Floats:
    """E |J eps|^2 of eps ~ N(0, diag sigma^2): sum_j |c_j|^2 sigma_j^2 (17, S48)."""
    return np.sum(column_norms(jacobian) ** 2 * variances, axis=-1)


def mean_bound(jacobian: Floats, variances: Floats) -> Floats:
    """Proposition S5: E |J eps|^2 is at least d (prod_j |c_j|^2 sigma_j^2)^(1/d) (S36).

    They are equal if every unit adds the same noise |c_j|^2 sigma_j^2.
    """
    d = jacobian.shape[-1]
    shares = np.log(column_norms(jacobian) ** 2 * variances)
    return d * np.exp(shares.mean(axis=-1))


def optimal_variances(jacobian: Floats, budget: float) -> Floats:
    """The sigma^2 that minimise (22) under (23): sigma_j^2 proportional to 1 / |c_j|^2."""
    log_norms = 2 * np.log(column_norms(jacobian))
    level = (log_norms.sum(axis=-1, keepdims=True) - budget) / jacobian.shape[-1]
    return np.exp(level - log_norms)


def least_loss(jacobian: Floats, budget: float) -> Floats:
    """The minimum of (22) under (23): d (prod_j |c_j|)^(2/d) exp(-C/d), as in (25) and (26).

    The paper prints exp(-C) for d = 2. But (23) fixes sigma_x^2 sigma_y^2 = exp(-C), so their
    geometric mean, and with it the bound, has the factor exp(-C/2).
    """
    return stochastic_loss(jacobian, optimal_variances(jacobian, budget))


def log_budget(constraint: float, means: Floats) -> float:
    """C_1 of (S35) from the C of (19): 2 C - sum |mu|^2 + N d, for means (N, d).

    L of (10) is (|mu|^2 + sum_j -log sigma_j^2 - d) / 2 for each sample.
    """
    return float(2 * constraint - np.sum(means**2) + means.size)
