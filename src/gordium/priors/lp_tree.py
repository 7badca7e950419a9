"""L^p-nested symmetric densities of any depth (Stühmer et al. 2020, Eqs. 6 to 8, Algorithm 1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lgamma, log
from typing import Any

import torch
from torch import Generator, Tensor

from gordium.checks import check_positive


@dataclass(frozen=True)
class LpTree:
    """A cascade of norms: the exponent `p` of a node, and its `children` from left to right.

    A child is a tree of its own, or a number: that many coordinates. The function of Eq. 6,
    (|z1|^p0 + (|z2|^p1 + |z3|^p1)^(p0 / p1))^(1 / p0), and a tree of depth three:

    >>> LpTree(1.0, (1, LpTree(2.0, (2,)))).n
    3
    >>> LpTree(2.1, (LpTree(1.5, (2, LpTree(4.0, (3,)))), 1)).depth
    3
    """

    p: float
    children: "tuple[LpTree | int, ...]"

    def __post_init__(self) -> None:
        check_positive(p=self.p)
        numbers = [child for child in self.children if not isinstance(child, LpTree)]
        if not self.children or not all(isinstance(n, int) and n >= 1 for n in numbers):
            raise ValueError(
                "children must be trees or whole numbers of coordinates, at least one; got "
                f"{self.children}."
            )

    @cached_property
    def n(self) -> int:
        """The number of coordinates under this node."""
        return sum(self.counts)

    @property
    def depth(self) -> int:
        """The number of nested norms: 1 for an L^p norm, 2 for an ISA model."""
        return 1 + max((child.depth for child in self.trees), default=0)

    def to_tuple(self) -> tuple[Any, ...]:
        """The tree as nested tuples, from which `make_tree` makes it again."""
        parts = (c.to_tuple() if isinstance(c, LpTree) else c for c in self.children)
        return (self.p, *parts)

    def radius(self, z: Tensor) -> Tensor:
        """f(z) for each row of (n, d): this node's norm of its children's values."""
        return torch.linalg.vector_norm(self._values(z), ord=self.p, dim=1)

    def log_surface(self) -> float:
        """log S_f(1) of Eq. 8, where S_f(1) is 2^n times a factor for each inner node."""
        return self.n * log(2) + self._log_factors()

    def log_density(self, z: Tensor, scale: float = 2.0) -> Tensor:
        """log p(z) of Eq. 7 with the radial density of Eq. 11, so that children are independent."""
        ratio = self.n / self.p
        constant = log(self.p) - lgamma(ratio) - ratio * log(scale)
        return constant - self.radius(z) ** self.p / scale - self.log_surface()

    @torch.no_grad()
    def sample(self, n: int, generator: Generator, scale: float = 2.0) -> Tensor:
        """Draw exact samples (n, d) by Algorithm 1, in double precision.

        Dirichlet weights to the power 1 / p lie on the unit sphere already, so the algorithm's
        provisional radius (steps 1 and 4) is left out.
        """
        energy = _draw_gamma([self.n / self.p], n, generator)
        points = (scale * energy) ** (1 / self.p) * self._on_sphere(n, generator)
        return points * (torch.empty_like(points).bernoulli_(generator=generator) * 2 - 1)

    @cached_property
    def counts(self) -> list[int]:
        """n_ik of Eq. 8: the number of coordinates under each child; each coordinate is one."""
        return [
            count
            for child in self.children
            for count in ([child.n] if isinstance(child, LpTree) else [1] * child)
        ]

    def split(self, z: Tensor) -> "list[tuple[LpTree | int, Tensor]]":
        """Each child with its columns of coordinates (n, d)."""
        sizes = [child.n if isinstance(child, LpTree) else child for child in self.children]
        return list(zip(self.children, z.split(sizes, dim=1), strict=True))

    def split_values(self, values: Tensor) -> "list[tuple[LpTree | int, Tensor]]":
        """Each child with its columns of values (n, l), of which a tree has one."""
        sizes = [1 if isinstance(child, LpTree) else child for child in self.children]
        return list(zip(self.children, values.split(sizes, dim=1), strict=True))

    @property
    def trees(self) -> "list[LpTree]":
        """The children that are trees of their own, from left to right."""
        return [child for child in self.children if isinstance(child, LpTree)]

    def _values(self, z: Tensor) -> Tensor:
        """The value of each child (n, l): a tree's norm, or a coordinate's absolute value."""
        parts = [
            child.radius(own)[:, None] if isinstance(child, LpTree) else own.abs()
            for child, own in self.split(z)
        ]
        return torch.cat(parts, dim=1)

    def _log_factors(self) -> float:
        shares = sum(lgamma(count / self.p) for count in self.counts) - lgamma(self.n / self.p)
        own = shares + (1 - len(self.counts)) * log(self.p)
        return own + sum(child._log_factors() for child in self.trees)

    def _on_sphere(self, n: int, generator: Generator) -> Tensor:
        """Draw points on the positive part of the unit sphere (steps 2 and 3)."""
        weights = _draw_gamma([count / self.p for count in self.counts], n, generator)
        radii = (weights / weights.sum(dim=1, keepdim=True)) ** (1 / self.p)
        parts = [
            own * child._on_sphere(n, generator) if isinstance(child, LpTree) else own
            for child, own in self.split_values(radii)
        ]
        return torch.cat(parts, dim=1)


def make_tree(given: Sequence[Any]) -> LpTree:
    """The tree that nested tuples or lists describe: an exponent, and then the children.

    A child is a number of coordinates, or tuples again.

    >>> make_tree((2.1, (1.5, 2, (4.0, 3)), 1)).n
    6
    """
    if not isinstance(given, list | tuple) or len(given) < 2 or not _is_number(given[0]):
        raise ValueError(
            "tree must be an exponent and then its children, each a number of coordinates or such "
            f"a tree again, as in (2.1, (1.5, 2, (4.0, 3)), 1); got {given!r}."
        )
    children = (make_tree(c) if isinstance(c, list | tuple) else c for c in given[1:])
    return LpTree(float(given[0]), tuple(children))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _draw_gamma(shapes: list[float], n: int, generator: Generator) -> Tensor:
    concentration = torch.tensor(shapes, dtype=torch.float64).expand(n, -1)
    return torch._standard_gamma(concentration, generator)
