"""An L^p-nested prior with fixed or learned exponents, saved along with a model."""

from collections.abc import Sequence
from math import log

import torch
from torch import Tensor, nn

from gordium.checks import check_positive
from gordium.priors.lp_nested import LpNested


class NestedPrior(nn.Module):
    """The exponents of an L^p-nested prior: parameters if they are learned, else buffers.

    They are stored as logarithms, so that they stay positive. `p0` is the exponent over
    subspaces, `p` the one within each of them, from which each is learned on its own.
    """

    log_p0: Tensor
    log_p: Tensor

    def __init__(
        self,
        sizes: Sequence[int],
        p0: float,
        p: float,
        *,
        scale: float = 2.0,
        learn_p0: bool = False,
        learn_p: bool = False,
    ) -> None:
        super().__init__()
        check_positive(p0=p0, p=p, scale=scale)
        self.sizes, self.scale = tuple(sizes), scale
        place_exponents(self, "log_p0", torch.tensor(log(p0)), learned=learn_p0)
        start = torch.full((len(self.sizes),), log(p))
        place_exponents(self, "log_p", start, learned=learn_p)

    def density(self) -> LpNested:
        """The density with the present exponents, to which gradients flow back."""
        return LpNested(self.log_p0.exp(), self.log_p.exp(), self.sizes, self.scale)

    def read_learned(self) -> dict[str, Tensor]:
        """The present values of learned exponents: p0, and p1, p2, ... by subspace."""
        return read_exponents(self.log_p0, self.log_p)


def place_exponents(module: nn.Module, name: str, value: Tensor, *, learned: bool) -> None:
    """Give a module the logarithms of exponents: a parameter if they are learned, else a buffer."""
    if learned:
        module.register_parameter(name, nn.Parameter(value))
    else:
        module.register_buffer(name, value)


def read_exponents(log_p0: Tensor, log_p: Tensor) -> dict[str, Tensor]:
    """The present values of learned exponents by name: p0, and p1, p2, ..."""
    found = {}
    if isinstance(log_p0, nn.Parameter):
        found["p0"] = log_p0.detach().exp()
    if isinstance(log_p, nn.Parameter):
        values = log_p.detach().exp().unbind()
        found |= {f"p{k}": value for k, value in enumerate(values, start=1)}
    return found


def subspace_sizes(layout: int | Sequence[int], latent_dim: int) -> tuple[int, ...]:
    """The sizes of the subspaces that `latent_dim` units are divided into.

    A number asks for the fewest subspaces of at most that size, as equal as possible; several
    sizes must sum to `latent_dim`.

    >>> subspace_sizes(4, 20), subspace_sizes(4, 10), subspace_sizes((2, 1), 3)
    ((4, 4, 4, 4, 4), (4, 3, 3), (2, 1))
    """
    check_layout(layout)
    if isinstance(layout, int):
        n_subspaces = -(-latent_dim // layout)
        least, larger = divmod(latent_dim, n_subspaces)
        return (least + 1,) * larger + (least,) * (n_subspaces - larger)
    if sum(layout) != latent_dim:
        raise ValueError(
            f"layout {tuple(layout)} sums to {sum(layout)}, but latent_dim is {latent_dim}: give "
            f"sizes that sum to {latent_dim}, or one number, the largest size of a subspace."
        )
    return tuple(layout)


def check_layout(layout: int | Sequence[int]) -> None:
    """Refuse a layout that is not made of whole numbers of at least 1."""
    sizes = [layout] if isinstance(layout, int) else list(layout)
    if not sizes or not all(isinstance(size, int) and size >= 1 for size in sizes):
        raise ValueError(f"layout must be whole numbers of at least 1; got {layout}.")
