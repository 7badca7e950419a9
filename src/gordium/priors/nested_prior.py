"""An L^p-nested prior with fixed or learned exponents, saved along with a model."""

from collections.abc import Sequence
from math import log
from typing import final

import torch

from gordium.checks import check_positive
from gordium.priors.exponents import Exponents
from gordium.priors.lp_nested import LpNested


@final
class NestedPrior(Exponents):
    """The exponents of an L^p-nested prior of two levels.

    `p0` is the exponent over subspaces, `p` the one within each of them, from which each is
    learned on its own.
    """

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
        check_positive(p0=p0, p=p, scale=scale)
        start = torch.full((len(sizes),), log(p))
        super().__init__(torch.tensor(log(p0)), start, learn_p0, learn_p)
        self.sizes, self.scale = tuple(sizes), scale

    def density(self) -> LpNested:
        """The density with the present exponents, to which gradients flow back."""
        return LpNested(self.log_p0.exp(), self.log_p.exp(), self.sizes, self.scale)


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
