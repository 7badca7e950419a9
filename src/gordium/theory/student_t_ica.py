"""Over-complete ICA with Student-t sources by mean-field variational inference.

Stühmer et al. 2020, B.7 and B.8: z_k ~ Student-t(0, 1, nu), x ~ N(W z, D). Each data point has
its own Gaussian q(z_k), which is optimised directly and not amortised.
"""

from dataclasses import dataclass
from math import lgamma, log, pi
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.polynomial.hermite_e import hermegauss
from numpy.typing import NDArray
from scipy.optimize import minimize
from torch import Tensor

Array = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Model:
    """The generative model except for W: degrees of freedom, the diagonal of D, and beta.

    Cross-entropies with the prior are one-dimensional integrals, by Gauss-Hermite quadrature.
    """

    df: float
    noise: tuple[float, ...]
    beta: float = 1.0
    nodes: int = 32

    def free_energy(self, x: Tensor, weights: Tensor, mean: Tensor, log_std: Tensor) -> Tensor:
        """E_q log p(x | z) - beta KL(q || p) of each data point (n,); q has `mean` (n, k)."""
        noise = x.new_tensor(self.noise)
        variance = (2 * log_std).exp()
        error = (x - mean @ weights.T) ** 2 + variance @ (weights**2).T
        fit = -0.5 * (error / noise + (2 * pi * noise).log()).sum(dim=1)
        negative_entropy = -(log_std + 0.5 * log(2 * pi) + 0.5)
        kl = negative_entropy - self._expected_log_prior(mean, log_std.exp())
        return fit - self.beta * kl.sum(dim=1)

    def _expected_log_prior(self, mean: Tensor, std: Tensor) -> Tensor:
        nodes, masses = (torch.from_numpy(a).to(mean) for a in hermegauss(self.nodes))
        z = mean[..., None] + std[..., None] * nodes
        heights = torch.log1p(z**2 / self.df) @ masses / (2 * pi) ** 0.5
        nu = self.df
        constant = lgamma((nu + 1) / 2) - lgamma(nu / 2) - 0.5 * log(nu * pi)
        return constant - (nu + 1) / 2 * heights


@dataclass(frozen=True)
class Fit:
    """Weights (d, k), the posteriors' means and standard deviations (n, k), and the path.

    `path` holds the mean free energy at the start and after each step, `trail` (steps + 1, d, k)
    the weights.
    """

    weights: Array
    mean: Array
    std: Array
    path: Array
    trail: Array


def fit(model: Model, x: Array, weights: Array, *, steps: int = 2000) -> Fit:
    """Ascend the free energy from the given weights; each step improves it (B.7).

    First the posteriors are optimised at the given weights; the path begins there. Steps are those
    of L-BFGS, whose line search takes no step that does not improve.
    """
    shape = (len(x), weights.shape[1])
    q = _ascend(model, x, np.zeros(2 * shape[0] * shape[1]), steps, fixed=weights)[-1].place
    points = _ascend(model, x, np.concatenate([weights.ravel(), q]), steps)
    end = _split(torch.from_numpy(points[-1].place), x.shape, None)
    trail = np.stack([point.place[: weights.size].reshape(weights.shape) for point in points])
    path = np.array([point.value for point in points])
    return Fit(end[0].numpy(), end[1].numpy(), end[2].exp().numpy(), path, trail)


class _Point(NamedTuple):
    value: float
    place: Array


def _ascend(
    model: Model, x: Array, start: Array, steps: int, fixed: Array | None = None
) -> list[_Point]:
    """Ascend from `start`: weights, means and log-deviations in one vector.

    If the weights are fixed, the vector holds only the last two.
    """
    data = torch.from_numpy(x)

    def loss(flat: Array) -> tuple[float, Array]:
        free = torch.from_numpy(flat).requires_grad_()
        weights, mean, log_std = _split(free, x.shape, fixed)
        value = -model.free_energy(data, weights, mean, log_std).mean()
        (gradient,) = torch.autograd.grad(value, free)
        return value.item(), gradient.numpy()

    points = [_Point(-loss(start)[0], start)]

    def note(intermediate_result: Any) -> None:
        points.append(_Point(-float(intermediate_result.fun), intermediate_result.x.copy()))

    options = {"maxiter": steps, "maxfun": 4 * steps, "ftol": 1e-12, "gtol": 1e-7, "maxcor": 20}
    minimize(loss, start, jac=True, method="L-BFGS-B", callback=note, options=options)
    return points


def _split(
    free: Tensor, shape: tuple[int, ...], fixed: Array | None
) -> tuple[Tensor, Tensor, Tensor]:
    n, d = shape
    if fixed is None:
        k = len(free) // (d + 2 * n)
        weights, q = free[: d * k].reshape(d, k), free[d * k :]
    else:
        weights, q = torch.from_numpy(fixed), free
    mean, log_std = q.reshape(2, n, -1)
    return weights, mean, log_std


def lengths(weights: Array) -> Array:
    """The distance (k,) that a unit step of each source moves x."""
    return np.linalg.norm(weights, axis=0)


def angles(weights: Array) -> Array:
    """The angles (degrees, 0 to 90) between the lines along each pair of columns, in order."""
    unit = weights / lengths(weights)
    first, second = np.triu_indices(weights.shape[1], k=1)
    cosines = np.abs((unit[:, first] * unit[:, second]).sum(axis=0))
    return np.degrees(np.arccos(np.minimum(cosines, 1)))


def overlap(weights: Array) -> float:
    """The squared inner products of all pairs of columns, summed and divided by |W|^4.

    It is 0 if and only if all columns are orthogonal or zero.
    """
    gram = weights.T @ weights
    return float((np.sum(gram**2) - np.sum(np.diag(gram) ** 2)) / 2 / np.trace(gram) ** 2)
