"""The two parts of a squared loss, from the mean codes and from the noise.

Proposition 4 of Rolinek et al. 2019.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gordium.arrays import Floats


class Reconstruction(NamedTuple):
    """L_rec (11), its deterministic (13) and its stochastic part (14), for each sample (n,).

    `bias` is |E Dec(Enc(x)) - Dec(mu)|. If it is zero, the total is the sum of the parts (15).
    """

    total: Floats
    deterministic: Floats
    stochastic: Floats
    bias: Floats


def decompose_reconstruction(
    decoder: Callable[[Floats], Floats], means: Floats, noise: Floats, x: Floats
) -> Reconstruction:
    """Decompose the loss, with expectations over the given draws of `noise` (draws, n, d)."""
    draws, n, d = noise.shape
    decoded = decoder((means + noise).reshape(draws * n, d)).reshape(draws, n, -1)
    central = decoder(means)
    return Reconstruction(
        total=_square(decoded - x).mean(axis=0),
        deterministic=_square(central - x),
        stochastic=_square(decoded - central).mean(axis=0),
        bias=np.sqrt(_square(decoded.mean(axis=0) - central)),
    )


def _square(differences: Floats) -> Floats:
    return np.sum(differences**2, axis=-1)
