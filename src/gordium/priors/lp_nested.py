"""L^p-nested symmetric densities with independent subspaces (Stühmer et al. 2020)."""

from math import log
from typing import NamedTuple

import torch
from torch import Generator, Tensor
from torch.nn import functional as F


class LpNested(NamedTuple):
    """The ISA density of Stühmer et al. 2020, Eqs. 7 to 11: a tree of two levels.

    Consecutive units form subspaces of the given `sizes`. `p0` (a scalar) is the exponent over
    subspaces, `p` (one per subspace) are those within them. Subspaces are independent; the units
    within one are independent only if its exponent equals p0. With all exponents 2 it is a normal
    density of variance `scale` / 2: at scale 2, Eq. 11 is the chi distribution, as the paper says.
    """

    p0: Tensor
    p: Tensor
    sizes: tuple[int, ...]
    scale: float = 2.0

    def radius(self, z: Tensor) -> Tensor:
        """f(z) of Eq. 9: the L^p0 norm of the norms of the subspaces, for each row (n,)."""
        return self._power(z) ** (1 / self.p0)

    def log_surface(self) -> Tensor:
        """log S_f(1) of Eq. 8: the surface of the unit sphere of f, S_f(R) = R^(n-1) S_f(1)."""
        n, sizes = sum(self.sizes), self._sizes()
        root = (1 - len(self.sizes)) * self.p0.log() - torch.lgamma(n / self.p0)
        within = (1 - sizes) * self.p.log() - torch.lgamma(sizes / self.p)
        shares = torch.lgamma(sizes / self.p0) + sizes * torch.lgamma(1 / self.p)
        return n * log(2) + root + (within + shares).sum()

    def log_density(self, z: Tensor) -> Tensor:
        """log p_ISA of Eq. 7 for each row: psi_0(f) / S_f(f), whose powers of f cancel."""
        return self._radial(self._power(z)) - self.log_surface()

    @torch.no_grad()
    def sample(self, n: int, generator: Generator) -> Tensor:
        """Draw exact samples (n, d) by Algorithm 1.

        Each node's Dirichlet weights to the power 1 / p lie on the unit sphere already, so the
        algorithm's provisional radius (steps 1 and 4) is left out.
        """
        owner = self._owner()
        exponents = self.p[owner]
        above = torch._standard_gamma((self._sizes() / self.p0).expand(n, -1), generator)
        within = torch._standard_gamma((1 / exponents).expand(n, -1), generator)
        energy = torch._standard_gamma((sum(self.sizes) / self.p0).expand(n, 1), generator)
        above = (above / above.sum(dim=1, keepdim=True)) ** (1 / self.p0)
        within = (within / self._sums(within)[:, owner]) ** (1 / exponents)
        signs = torch.empty_like(within).bernoulli_(generator=generator) * 2 - 1
        return signs * (self.scale * energy) ** (1 / self.p0) * above[:, owner] * within

    def _radial(self, power: Tensor) -> Tensor:
        """log psi_0 without its power of the radius, as a function of radius^p0."""
        ratio = sum(self.sizes) / self.p0
        constant = self.p0.log() - torch.lgamma(ratio) - ratio * log(self.scale)
        return constant - power / self.scale

    def _power(self, z: Tensor) -> Tensor:
        """f(z)^p0; units that are 0 count as the least positive number, for finite gradients."""
        tiny = torch.finfo(z.dtype).tiny
        powers = z.abs().clamp_min(tiny) ** self.p[self._owner()]
        return (self._sums(powers).clamp_min(tiny) ** (self.p0 / self.p)).sum(dim=1)

    def _sums(self, values: Tensor) -> Tensor:
        """Sums of (n, d) over the units of each subspace (n, l)."""
        return values @ F.one_hot(self._owner(), len(self.sizes)).to(values.dtype)

    def _owner(self) -> Tensor:
        """The subspace of each unit (d,)."""
        owners = [k for k, size in enumerate(self.sizes) for _ in range(size)]
        return torch.tensor(owners, device=self.p.device)

    def _sizes(self) -> Tensor:
        return self.p.new_tensor(self.sizes)


def generalised_gaussian(p: Tensor, latent_dim: int, scale: float = 2.0) -> LpNested:
    """Independent units with densities proportional to exp(-|z|^p / scale): one level, Eq. 5.

    Eq. 5's tau is 1 / scale. p = 1 is the Laplace density, p = 2 the normal one.
    """
    return LpNested(p, p.expand(1), (latent_dim,), scale)
