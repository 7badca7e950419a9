"""The distance to orthogonality of random decoders, in three meanings of the word."""

from collections.abc import Callable

import numpy as np
import torch
from scipy.stats import ortho_group
from torch import Generator, Tensor

from gordium.arrays import Floats
from gordium.checks import check_least
from gordium.geometry.distance import distance_to_orthogonality
from gordium.geometry.jacobian import Decoder
from gordium.geometry.orthogonality import closest_signed_permutation, matrix_distance


def random_matrix_distances(
    n_outputs: int, latent_dim: int, *, n: int = 100, seed: int = 0
) -> Floats:
    """The distances of `n` matrices (n_outputs, latent_dim) with entries uniform in [0, 1].

    The paper does not say what the random decoders of its Table 2 are; these come within 0.02
    of all its numbers. Their columns have positive means, so the first singular vector lies
    near a diagonal, and distances are larger than those of `random_rotation_distances`.
    """
    check_least(1, n=n, n_outputs=n_outputs, latent_dim=latent_dim)
    rng = np.random.default_rng(seed)
    matrices = (rng.random((n_outputs, latent_dim)) for _ in range(n))
    return matrix_distance(np.stack([m.T @ m for m in matrices]))


def random_rotation_distances(latent_dim: int, *, n: int = 1000, seed: int = 0) -> Floats:
    """The distances of `n` matrices with uniformly random V: no latent axis is preferred."""
    check_least(1, n=n, latent_dim=latent_dim)
    if latent_dim == 1:
        return np.zeros(n)
    drawn = ortho_group.rvs(latent_dim, size=n, random_state=np.random.default_rng(seed))
    rotations = np.reshape(drawn, (n, latent_dim, latent_dim))
    return np.array([np.linalg.norm(v - closest_signed_permutation(v)) for v in rotations])


def random_decoder_distances(
    make: Callable[[Generator], Decoder], z: Tensor, *, n: int = 10, seed: int = 0
) -> Floats:
    """The distances of `n` untrained networks that `make` builds, as means over the rows of z."""
    check_least(1, n=n)
    generator = torch.Generator().manual_seed(seed)
    decoders = (make(generator) for _ in range(n))
    return np.array([distance_to_orthogonality(decoder, z).distance for decoder in decoders])
