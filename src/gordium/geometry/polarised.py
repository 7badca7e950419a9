"""The polarised regime, in which a unit carries information or copies the prior (Rolinek 2019)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.geometry.activity import ACTIVE_BELOW, active_units


class PolarisedRegime(NamedTuple):
    """`delta_kl` is small where the regime holds; both losses are means over samples, in nats."""

    delta_kl: float
    kl: float
    approximate_kl: float
    is_active: NDArray[np.bool_]


def polarised_regime(
    means: ArrayLike, log_variances: ArrayLike, *, threshold: float = ACTIVE_BELOW
) -> PolarisedRegime:
    """L_KL (4), its approximation by active units (10), and their relative error (30).

    Definition 1 gives no threshold between active and passive; here a unit is active if its mean
    variance is below `threshold` (Zietlow et al. 2021, 5.3). If both losses are 0, so is the
    error.
    """
    mu = np.asarray(means, dtype=np.float64)
    log_var = np.asarray(log_variances, dtype=np.float64)
    if mu.ndim != 2 or mu.shape != log_var.shape or 0 in mu.shape:
        raise ValueError(
            "means and log_variances must be (n_samples, n_units) both; "
            f"got {mu.shape} and {log_var.shape}."
        )
    if not (np.isfinite(mu).all() and np.isfinite(log_var).all()):
        raise ValueError("means and log_variances must be finite.")
    is_active = active_units(log_var, threshold=threshold)
    unit = 0.5 * (mu**2 - log_var - 1)
    kl = float((unit + 0.5 * np.exp(log_var)).sum(axis=1).mean())
    approximate = float(unit[:, is_active].sum(axis=1).mean())
    error = abs(kl - approximate)
    return PolarisedRegime(error / kl if error > 0 else 0.0, kl, approximate, is_active)


def polarised_share(steps: ArrayLike, deltas: ArrayLike, *, below: float = 0.03) -> float:
    """The fraction of training during which Delta_KL stays `below` until the end: Table 1.

    `deltas` were recorded at the rising `steps`, the last of which ends the training. Time counts
    from the first record after which no delta reaches `below`, so few records give too low a
    fraction rather than too high.
    """
    at = np.asarray(steps, dtype=np.float64)
    values = np.asarray(deltas, dtype=np.float64)
    if at.ndim != 1 or at.shape != values.shape or not len(at):
        raise ValueError(
            f"steps and deltas must be two lists of one length; got {at.shape} and {values.shape}."
        )
    if at[0] < 0 or (np.diff(at) <= 0).any() or at[-1] <= 0:
        raise ValueError("steps must rise, from 0 or more to the last step of training.")
    bad = np.flatnonzero(~(values < below))
    first_good = int(bad[-1]) + 1 if len(bad) else 0
    return float((at[-1] - at[first_good]) / at[-1]) if first_good < len(at) else 0.0
