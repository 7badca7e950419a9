"""Theorem 1 of Zietlow et al. 2021: the cheapest noise aligns a linear decoder with the PCA axes.

The reconstructions X, rows of `reconstructions` (n, m) with mean zero, are fixed; only their code
is free. A matrix U (k, m) with orthonormal rows chooses the latent axes. Codes of unit length,
diag(Z^T Z) = 1, then fix the scales S in X = Z S U (supplement A.1). The paper's M_D = U S V^T is
this matrix transposed, with V = I without loss of generality.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gordium.arrays import Floats


class Alignment(NamedTuple):
    """The solution of Theorem 1: latent axes (k, m), their scales, noise variances, the loss."""

    rotation: Floats
    scales: Floats
    variances: Floats
    loss: float


def scales_of(reconstructions: ArrayLike, rotation: ArrayLike) -> Floats:
    """The scales S_j = |X u_j| of the decoder S U, whose codes have unit length."""
    x, u = _check(reconstructions, rotation)
    return np.linalg.norm(x @ u.T, axis=0)


def noise_loss(reconstructions: ArrayLike, rotation: ArrayLike, variances: ArrayLike) -> float:
    """The cost of latent noise with these variances, E |S eps|^2 = tr(E U X^T X U^T E): Eq. 21.

    It is the stochastic part of the reconstruction loss, Eq. 6.
    """
    scales = scales_of(reconstructions, rotation)
    return float((np.asarray(variances, dtype=np.float64) * scales**2).sum())


def noise_loss_bound(reconstructions: ArrayLike, log_volume: float) -> float:
    """The lower bound k det(E X^T X E)^(1/k) on the loss for all rotations (Eq. 22, 23).

    `log_volume` is the sum of the log-variances of the noise, which Eq. 7 holds fixed. The
    determinant is over the k dimensions that the reconstructions span.
    """
    squares = _principal_axes(reconstructions)[1] ** 2
    return float(len(squares) * np.exp((np.log(squares).sum() + log_volume) / len(squares)))


def noise_alignment(reconstructions: ArrayLike, log_volume: float) -> Alignment:
    """Theorem 1: the principal axes reach the bound, with variances as in Eq. 25.

    The noise's variance is inverse to an axis' variance, E^-2 ~ U X^T X U^T. The axes are unique
    up to signs and order if the principal variances differ.
    """
    axes, lengths = _principal_axes(reconstructions)
    loss = noise_loss_bound(reconstructions, log_volume)
    return Alignment(axes, lengths, loss / len(lengths) / lengths**2, loss)


def _principal_axes(reconstructions: ArrayLike) -> tuple[Floats, Floats]:
    """The right singular vectors as rows, and the singular values, largest first, without zeros."""
    x = np.asarray(reconstructions, dtype=np.float64)
    if x.ndim != 2 or not x.any():
        raise ValueError(f"reconstructions must be (n, m) and not all zero; got {x.shape}.")
    _, lengths, axes = np.linalg.svd(x, full_matrices=False)
    rank = int((lengths > lengths[0] * max(x.shape) * np.finfo(np.float64).eps).sum())
    return axes[:rank], lengths[:rank]


def _check(reconstructions: ArrayLike, rotation: ArrayLike) -> tuple[Floats, Floats]:
    x = np.asarray(reconstructions, dtype=np.float64)
    u = np.asarray(rotation, dtype=np.float64)
    if x.ndim != 2 or u.ndim != 2 or x.shape[1] != u.shape[1]:
        raise ValueError(
            "reconstructions must be (n, m) and rotation (k, m) with an axis in each row; "
            f"got {x.shape} and {u.shape}."
        )
    if not np.allclose(u @ u.T, np.eye(len(u)), atol=1e-8):
        raise ValueError("the rows of rotation must be orthonormal.")
    if not np.isclose(np.linalg.norm(x @ u.T), np.linalg.norm(x)):
        raise ValueError("the axes of rotation must span the reconstructions.")
    return x, u
