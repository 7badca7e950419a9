"""L^p-nested symmetric densities of any depth (Stühmer et al. 2020, Eqs. 6 to 8, Algorithm 1)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from math import log
from typing import Any, NamedTuple

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

    def density(self, scale: float = 2.0) -> "TreeDensity":
        """The density with the exponents of the tree, in double precision."""
        exponents = torch.tensor([node.p for node in walk(self)], dtype=torch.float64)
        return TreeDensity(self, exponents, scale)

    def radius(self, z: Tensor) -> Tensor:
        """f(z) for each row of (n, d): this node's norm of its children's values."""
        return self.density().radius(z)

    def log_surface(self) -> float:
        """log S_f(1) of Eq. 8, where S_f(1) is 2^n times a factor for each inner node."""
        return float(self.density().log_surface())

    def log_density(self, z: Tensor, scale: float = 2.0) -> Tensor:
        """log p(z) of Eq. 7 with the radial density of Eq. 11, so that children are independent."""
        return self.density(scale).log_density(z)

    def sample(self, n: int, generator: Generator, scale: float = 2.0) -> Tensor:
        """Draw exact samples (n, d) by Algorithm 1, in double precision."""
        return self.density(scale).sample(n, generator)

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


class TreeDensity(NamedTuple):
    """The density of `LpTree` with exponents that gradients flow to; the tree's own do not count.

    `p` has an exponent for each node: that of the root first, then level by level, in each from
    left to right. With two levels this is `LpNested`, whose samples it draws in the same order.
    """

    tree: LpTree
    p: Tensor
    scale: float = 2.0

    def radius(self, z: Tensor) -> Tensor:
        """f(z) for each row (n,): the root's norm of its children's values."""
        return self._power(z) ** (1 / self.p[0])

    def log_surface(self) -> Tensor:
        """log S_f(1) of Eq. 8: the surface of the unit sphere of f."""
        total = self.tree.n * log(2) + torch.zeros_like(self.p[0])
        for node, p in zip(walk(self.tree), self.p, strict=True):
            counts = self.p.new_tensor(node.counts)
            total = total + (1 - len(counts)) * p.log()
            total = total + torch.lgamma(counts / p).sum() - torch.lgamma(node.n / p)
        return total

    def log_density(self, z: Tensor) -> Tensor:
        """log p(z) of Eq. 7 with the radial density of Eq. 11, so that children are independent."""
        p0 = self.p[0]
        ratio = self.tree.n / p0
        constant = p0.log() - torch.lgamma(ratio) - ratio * log(self.scale)
        return constant - self._power(z) / self.scale - self.log_surface()

    @torch.no_grad()
    def sample(self, n: int, generator: Generator) -> Tensor:
        """Draw exact samples (n, d) by Algorithm 1, from the root's children downwards.

        Dirichlet weights to the power 1 / p lie on the unit sphere already, so the algorithm's
        provisional radius (steps 1 and 4) is left out.
        """
        points = self.p.new_empty(n, self.tree.n)
        level, first = [_Placed(self.tree, points, self.p.new_ones(n))], 0
        while level:
            exponents = self.p[first : first + len(level)]
            first += len(level)
            below: list[_Placed] = []
            shares = self._draw_shares(level, exponents, n, generator)
            for placed, own in zip(level, shares, strict=True):
                below += placed.hand_down(own)
            level = below
        energy = torch._standard_gamma((self.tree.n / self.p[0]).expand(n, 1), generator)
        signs = torch.empty_like(points).bernoulli_(generator=generator) * 2 - 1
        return signs * (self.scale * energy) ** (1 / self.p[0]) * points

    def _draw_shares(
        self, level: "list[_Placed]", exponents: Tensor, n: int, generator: Generator
    ) -> list[Tensor]:
        """Points on the positive unit spheres of the nodes of one level, in one draw for all."""
        counts = [self.p.new_tensor(placed.node.counts) for placed in level]
        shapes = torch.cat([count / p for count, p in zip(counts, exponents, strict=True)])
        weights = torch._standard_gamma(shapes.expand(n, -1), generator)
        parts = weights.split([len(count) for count in counts], dim=1)
        return [
            (own / own.sum(dim=1, keepdim=True)) ** (1 / p)
            for own, p in zip(parts, exponents, strict=True)
        ]

    def _power(self, z: Tensor) -> Tensor:
        """f(z)^p0; what is 0 counts as the least positive number, for finite gradients."""
        return _sum_powers(_number(self.tree), z, self.p)


class _Placed(NamedTuple):
    """A node with the columns that take its coordinates, and its value in each sample (n,)."""

    node: LpTree
    points: Tensor
    value: Tensor

    def hand_down(self, shares: Tensor) -> "list[_Placed]":
        """Write the coordinates among the children into `points`; return the other children."""
        values, trees = self.node.split_values(shares * self.value[:, None]), []
        for (child, points), (_, own) in zip(self.node.split(self.points), values, strict=True):
            if isinstance(child, LpTree):
                trees.append(_Placed(child, points, own[:, 0]))
            else:
                points.copy_(own)
        return trees


class _Numbered(NamedTuple):
    """A node with its place among all nodes, and those of its children that are trees."""

    node: LpTree
    place: int
    trees: "list[_Numbered]"


def _number(tree: LpTree) -> _Numbered:
    """Number the nodes in the order of `walk`; each place has a number, even if nodes are equal."""
    nodes = [_Numbered(node, place, []) for place, node in enumerate(walk(tree))]
    below = iter(nodes[1:])
    for numbered in nodes:
        numbered.trees.extend(islice(below, len(numbered.node.trees)))
    return nodes[0]


def _sum_powers(numbered: _Numbered, z: Tensor, p: Tensor) -> Tensor:
    """The sum of the children's values, each to the power of the node's own exponent."""
    tiny, own = torch.finfo(z.dtype).tiny, p[numbered.place]
    total, trees = torch.zeros_like(z[:, 0]), iter(numbered.trees)
    for child, units in numbered.node.split(z):
        if isinstance(child, LpTree):
            below = next(trees)
            total = total + _sum_powers(below, units, p) ** (own / p[below.place])
        else:
            total = total + (units.abs().clamp_min(tiny) ** own).sum(dim=1)
    return total.clamp_min(tiny)


def walk(tree: LpTree) -> Iterator[LpTree]:
    """The nodes of a tree: the root, then level by level, in each from left to right."""
    level = [tree]
    while level:
        yield from level
        level = [child for node in level for child in node.trees]
