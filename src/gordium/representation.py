"""Encode once, score everything: codes, their log-variances and the factors behind them."""

from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from gordium.datasets import Dataset
from gordium.networks import Autoencoder
from gordium.progress import progress

Floats = NDArray[np.float32]

ACTIVE_BELOW = 0.8


class Representation(NamedTuple):
    """One encode pass: rows are images."""

    codes: Floats
    log_variances: Floats
    factors: NDArray[Any]


@torch.no_grad()
def encode(
    model: Autoencoder,
    dataset: Dataset,
    *,
    n: int | None = 10_000,
    seed: int = 0,
    batch_size: int = 256,
) -> Representation:
    """Means and log-variances of `n` images drawn uniformly, or of every image if `n` is None."""
    if n is not None and n < 1:
        raise ValueError(f"n must be at least 1, or None for the whole data set; got {n}.")
    indices = (
        np.arange(len(dataset))
        if n is None
        else np.random.default_rng(seed).integers(len(dataset), size=n)
    )
    device = next(model.parameters()).device
    means, log_variances = [], []
    with progress("encoding", len(indices)) as advance:
        for start in range(0, len(indices), batch_size):
            images = dataset.images(indices[start : start + batch_size])
            posterior = model.encode(as_floats(images, device))
            means.append(posterior.mean.cpu().numpy())
            log_variances.append(posterior.log_variance.cpu().numpy())
            advance(len(images))
    return Representation(
        np.concatenate(means), np.concatenate(log_variances), dataset.factors_at(indices)
    )


def as_floats(images: NDArray[Any], device: torch.device) -> torch.Tensor:
    """uint8 images as floats in [0, 1] on the device; vectors of real numbers as they are."""
    x = torch.from_numpy(images).to(device, non_blocking=True)
    return x if x.is_floating_point() else torch.div(x, 255)


def active_units(
    log_variances: NDArray[Any], *, threshold: float = ACTIVE_BELOW
) -> NDArray[np.bool_]:
    """Which latent units carry information: E[sigma^2] < 0.8 (Zietlow et al. 2021, 5.3)."""
    mean_variances: NDArray[np.float64] = np.exp(log_variances.astype(np.float64)).mean(axis=0)
    return mean_variances < threshold


def over_pruned(representation: Representation, *, threshold: float = ACTIVE_BELOW) -> bool:
    """Whether fewer units are active than there are factors (Zietlow et al. 2021, 5.3)."""
    n_active = int(active_units(representation.log_variances, threshold=threshold).sum())
    return n_active < representation.factors.shape[1]
