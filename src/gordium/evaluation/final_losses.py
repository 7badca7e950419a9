"""Numbers of a finished run that need no labels, from the files in its folder."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gordium.arrays import read_arrays
from gordium.history import read_history
from gordium.metrics import gaussian_total_correlation

REPRESENTATION = "representation.npz"
_LAST = 10  # the last tenth of the recorded steps


def closing_numbers(folder: Path, *, stochastic: bool = True) -> dict[str, float]:
    """Reconstruction loss, KL, ELBO and total correlation at the end of a training.

    `reconstruction` is the mean over the last tenth of the recorded steps; `kl` is that of the
    posteriors of the scored images to the standard normal; `elbo` is minus their sum;
    `total_correlation` is that of a Gaussian fitted to one sample of each posterior. What the
    files or the method (`stochastic`: has posteriors) cannot give is left out.
    """
    found: dict[str, float] = {}
    history = read_history(folder)
    if history and "reconstruction" in history[-1]:
        rows = history[-max(1, len(history) // _LAST) :]
        found["reconstruction"] = float(np.mean([row["reconstruction"] for row in rows]))
    if stochastic and (folder / REPRESENTATION).exists():
        arrays = read_arrays(folder / REPRESENTATION, ("codes", "log_variances"))
        means, log_variances = (array.astype(np.float64) for array in arrays.values())
        found["kl"] = kl_to_standard_normal(means, log_variances)
        if "reconstruction" in found:
            found["elbo"] = -found["reconstruction"] - found["kl"]
        drawn = np.random.default_rng(0).standard_normal(means.shape)
        samples = means + np.exp(log_variances / 2) * drawn
        found["total_correlation"] = gaussian_total_correlation(samples)
    return {name: value for name, value in found.items() if np.isfinite(value)}


def kl_to_standard_normal(means: NDArray[np.float64], log_variances: NDArray[np.float64]) -> float:
    """The mean over images of the sum over units, in nats."""
    each = (means**2 + np.exp(log_variances) - 1 - log_variances) / 2
    return float(each.sum(axis=1).mean())
