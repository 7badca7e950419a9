"""What exhibits measure of a model while it is trained: `train(..., measure=...)`."""

import numpy as np

from gordium.datasets import Dataset
from gordium.geometry import polarised_regime
from gordium.networks import Autoencoder
from gordium.representation import as_floats
from gordium.training.runs import Measure


def polarisation(dataset: Dataset, *, n: int = 1000, seed: int = 0) -> Measure:
    """Delta_KL (Rolinek et al. 2019, Eq. 30) and the active units, on `n` images drawn once.

    With `Recording(record_every=500)` the history holds what `polarised_share` needs.
    """
    images = dataset.images(np.random.default_rng(seed).integers(len(dataset), size=n))

    def measure(model: Autoencoder) -> dict[str, float]:
        posterior = model.encode(as_floats(images, next(model.parameters()).device))
        means, log_variances = (a.cpu().numpy() for a in (posterior.mean, posterior.log_variance))
        regime = polarised_regime(means, log_variances)
        return {"delta_kl": regime.delta_kl, "active_units": float(regime.is_active.sum())}

    return measure
