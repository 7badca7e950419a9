"""The orthogonal VAE: a beta-VAE with a penalty that makes its decoder locally orthogonal."""

from dataclasses import dataclass
from typing import ClassVar, final

import torch
from torch import Generator, Tensor
from torch.nn import functional as F

from gordium.checks import check_counts, check_weights
from gordium.methods.base import Context, Forward, Loss, Method, weighted_sum
from gordium.methods.terms import mean_kl, reconstruction
from gordium.networks.direct import use_pytorch_alone


@final
@dataclass(frozen=True, kw_only=True)
class OrthogonalVAE(Method):
    """L_rec + beta L_KL + weight R(z), our own objective.

    A beta-VAE's decoder becomes locally orthogonal through the noise of its posteriors (Rolinek
    et al. 2019, Theorem 2); here the penalty R (see `overlap`) does this at any noise. The KL term
    stays, as it fixes the scale of the units: without it, whitening them makes every rotation
    orthogonal. R is estimated from `n_images` of the batch and changes the decoder only.
    """

    primary: ClassVar[str | None] = "weight"

    beta: float = 1.0
    weight: float = 100.0
    n_images: int = 16

    def __post_init__(self) -> None:
        check_weights(beta=self.beta, weight=self.weight)
        check_counts(n_images=self.n_images)

    def __call__(self, out: Forward, context: Context) -> Loss:
        z = out.z[: self.n_images].detach().requires_grad_()
        pairs = random_pairs(len(z), z.shape[1], context.chance)
        with use_pytorch_alone():  # its operations can be differentiated twice
            images = out.model.decode(z)
        return weighted_sum(
            reconstruction=(1.0, reconstruction(out)),
            kl=(self.beta, mean_kl(out)),
            overlap=(self.weight, overlap(images, z, pairs)),
        )


def overlap(images: Tensor, z: Tensor, pairs: Tensor) -> Tensor:
    """An unbiased estimate of R, the mean over z of sum_{i != j} r_ij, for uniform `pairs`.

    r_ij = G_ij^2 / ((1 + G_ii)(1 + G_jj)), where G = J^T J for the decoder's Jacobian J at z. For
    images with unit noise, I + G is the precision of the posterior at z, and r_ij its squared
    partial correlation, which a diagonal posterior cannot have. It is nearly the squared cosine of
    two columns of J, except for units of little effect, whose cosines mean nothing. One pair
    i != j is drawn for each z, so two products J v are enough. All d (d - 1) ordered pairs are
    equally likely, so d (d - 1) r_ij has the mean R.
    """
    d = z.shape[1]
    a, b = columns(images, z, pairs)
    squares = (a * b).sum(dim=1).square()
    norms = (1 + a.square().sum(dim=1)) * (1 + b.square().sum(dim=1))
    return d * (d - 1) * (squares / norms).mean()


def columns(images: Tensor, z: Tensor, units: Tensor) -> list[Tensor]:
    """Columns `units[:, k]` of each image's Jacobian, one tensor (n, n_pixels) for each k.

    J^T u is linear in u, so the gradient of v^T J^T u with respect to u is J v.
    """
    u = torch.zeros_like(images, requires_grad=True)
    (pulled,) = torch.autograd.grad(images, z, u, create_graph=True)
    directions = F.one_hot(units, z.shape[1]).to(z.dtype).unbind(dim=1)
    pushed = [torch.autograd.grad(pulled, u, v, create_graph=True)[0] for v in directions]
    return [column.flatten(1) for column in pushed]


def random_pairs(n: int, d: int, noise: Generator) -> Tensor:
    """Draw two different units of d for each of n images (n, 2), all ordered pairs equally likely.

    A single unit is paired with itself; the pair has no weight, as d (d - 1) is zero.
    """
    first = torch.randint(d, (n,), generator=noise, device=noise.device)
    step = torch.randint(1, max(d, 2), (n,), generator=noise, device=noise.device)
    return torch.stack([first, (first + step) % d], dim=1)
