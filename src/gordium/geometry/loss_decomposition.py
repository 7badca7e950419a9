"""How much reconstruction loss comes from mean codes, and how much from noise (Rolinek 2019)."""

from typing import NamedTuple

import torch
from torch import Generator, Tensor

from gordium.arrays import Floats
from gordium.checks import check_least
from gordium.geometry.jacobian import CHUNK, Decoder, gram_matrices
from gordium.methods import sample
from gordium.networks import Posterior


class LossDecomposition(NamedTuple):
    """Squared errors of each sample, (n,) each.

    `total` is L_rec (11), `deterministic` is (13), `stochastic` (14) and `quadratic` (17). By
    Proposition 4 the second and third add up to the first if decoding is unbiased: (15).
    """

    total: Floats
    deterministic: Floats
    stochastic: Floats
    quadratic: Floats


def loss_decomposition(
    decoder: Decoder,
    x: Tensor,
    posterior: Posterior,
    *,
    noise: Generator,
    n_samples: int = 64,
    chunk: int = CHUNK,
) -> LossDecomposition:
    """The parts of |Dec(z) - x|^2, z ~ q(z | x), for each row of x and its posterior.

    (11) and (14) are means over `n_samples` draws from `noise`; (17), E |J e|^2, is exact: the
    trace of J^T J times the posterior's covariance.
    """
    if len(x) != len(posterior.mean):
        raise ValueError(
            f"x and the posterior must have equally many rows; got {len(x)} and "
            f"{len(posterior.mean)}."
        )
    check_least(1, n_samples=n_samples)
    with torch.no_grad():
        slices = [slice(start, start + chunk) for start in range(0, len(x), chunk)]
        parts = [
            _losses(decoder, x[rows], posterior.select(rows), noise, n_samples) for rows in slices
        ]
    grams = gram_matrices(decoder, posterior.mean, chunk=chunk)
    quadratic = (grams * _covariance(posterior)).sum(dim=(1, 2))
    total, deterministic, stochastic = torch.cat(parts, dim=1).cpu().numpy()
    return LossDecomposition(total, deterministic, stochastic, quadratic.cpu().numpy())


def _losses(
    decoder: Decoder, x: Tensor, posterior: Posterior, noise: Generator, n_samples: int
) -> Tensor:
    """Total, deterministic and stochastic loss of each row: (3, n)."""
    plain = decoder(posterior.mean)
    deterministic = _squared_error(plain, x)
    total, stochastic = torch.zeros_like(deterministic), torch.zeros_like(deterministic)
    for _ in range(n_samples):
        noisy = decoder(sample(posterior, noise))
        total += _squared_error(noisy, x) / n_samples
        stochastic += _squared_error(noisy, plain) / n_samples
    return torch.stack([total, deterministic, stochastic])


def _squared_error(a: Tensor, b: Tensor) -> Tensor:
    return (a - b).flatten(1).double().square().sum(dim=1)


def _covariance(posterior: Posterior) -> Tensor:
    if posterior.cholesky is None:
        return torch.diag_embed(posterior.log_variance.double().exp())
    root = posterior.cholesky.double()
    return root @ root.mT
