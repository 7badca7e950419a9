"""Which beta? Conversion between conventions, and a range to start from for a data set."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import numpy as np

from gordium.arrays import Floats, Integers
from gordium.datasets import Dataset
from gordium.lookup import pick

_LIKELIHOODS = {"bernoulli": None, "gaussian": None}
_SMALLEST_VARIANCE = 1e-3  # of a Bernoulli pixel that hardly ever changes
# A strength that leaves the weakest wanted unit alive lies well below the one that kills it.
_LOW, _HIGH = 64, 8


@dataclass(frozen=True, kw_only=True)
class Convention:
    """How somebody writes the loss that a strength belongs to; the defaults are Gordium's.

    The reconstruction is summed or averaged over the pixels of `image_shape` and multiplied by
    `reconstruction_weight` (a Gaussian of variance v written as |x - x'|^2 / (2 v) has 1 / (2 v)
    here, and Gordium's "gaussian" has 1). The KL term is summed or averaged over `latent_dim`.
    """

    image_shape: Sequence[int]
    mean_over_pixels: bool = False
    reconstruction_weight: float = 1.0
    mean_over_units: bool = False
    latent_dim: int = 1

    def __post_init__(self) -> None:
        if not self.image_shape or min(self.image_shape) < 1:
            raise ValueError(f"image_shape must be sizes of at least 1; got {self.image_shape}.")
        if not self.reconstruction_weight > 0 or self.latent_dim < 1:
            raise ValueError(
                "reconstruction_weight must be above 0 and latent_dim at least 1; got "
                f"{self.reconstruction_weight} and {self.latent_dim}."
            )

    @property
    def kl_per_pixel(self) -> float:
        """How much a strength of 1 weighs the summed KL against the error of one pixel."""
        kl = 1 / self.latent_dim if self.mean_over_units else 1.0
        pixels = prod(self.image_shape)
        rec = self.reconstruction_weight * (1 / pixels if self.mean_over_pixels else 1.0)
        return kl / rec / pixels


def convert_strength(strength: float, given: Convention, wanted: Convention) -> float:
    """The strength that means the same in another convention.

    It is exact where both have one image shape. Between shapes it keeps the weight of the KL term
    against the error of an average pixel, which is what keeps units alive when images are only
    drawn larger. With mean_over_pixels and mean_over_units this is beta_norm of Higgins et al.
    2017, 4.2: beta M / N.

    >>> small, large = Convention(image_shape=(3, 32, 32)), Convention(image_shape=(3, 64, 64))
    >>> convert_strength(16.0, large, small)
    4.0
    """
    return strength * given.kl_per_pixel / wanted.kl_per_pixel


class Strengths(NamedTuple):
    """A range to start from, and the strengths at which units of a linear model die, in order."""

    low: float
    high: float
    deaths: Floats


def suggest_strengths(
    dataset: Dataset, units: int, *, likelihood: str = "bernoulli", n: int = 1000, seed: int = 0
) -> Strengths:
    """A range of beta in which `units` latent units should live, from the data's variance.

    The best linear VAE (`gordium.theory.linear_vae_optimum`) keeps its j-th unit while beta is
    below 2 l_j, where l_j is the j-th eigenvalue of the images' covariance; for Bernoulli pixels
    each is first divided by twice its variance p (1 - p), the curvature of their loss. The range
    is a 64th to an 8th of the strength that kills the last unit: a rule of thumb, which holds
    the published strengths of dSprites and Shapes3D.
    """
    pick("likelihood", likelihood, _LIKELIHOODS)
    if not 1 <= units < n:
        raise ValueError(f"units must lie in 1 to n - 1, here {n - 1}; got {units}.")
    indices = np.random.default_rng(seed).permutation(len(dataset))[:n]
    deaths = _deaths(_rows(dataset, indices), likelihood)
    if len(deaths) < units or deaths[units - 1] <= 0:
        raise ValueError(f"{len(indices)} images of this data set do not vary in {units} ways.")
    last = float(deaths[units - 1])
    return Strengths(last / _LOW, last / _HIGH, deaths[: 2 * units])


def _rows(dataset: Dataset, indices: Integers) -> Floats:
    images = dataset.images(indices)
    scale = 255.0 if images.dtype == np.uint8 else 1.0
    return images.reshape(len(images), -1) / scale


def _deaths(x: Floats, likelihood: str) -> Floats:
    mean = x.mean(axis=0)
    centred = x - mean
    if likelihood == "bernoulli":
        variance = np.clip(mean * (1 - mean), _SMALLEST_VARIANCE, None)
        centred = centred / np.sqrt(2 * variance)
    values: Floats = np.linalg.svd(centred, compute_uv=False) ** 2 / len(x)
    return 2 * values
