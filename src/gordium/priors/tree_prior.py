"""An L^p-nested prior of any depth with fixed or learned exponents, saved along with a model."""

from collections.abc import Iterator
from itertools import islice
from math import log
from typing import NamedTuple

import torch
from torch import Generator, Tensor, nn

from gordium.priors.lp_tree import LpTree
from gordium.priors.nested_prior import place_exponents, read_exponents


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
        """Draw exact samples (n, d) by Algorithm 1, from the root's children downwards."""
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
    """Number the nodes in the order of `walk`; equal nodes, or one that occurs twice, differ."""
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


class TreePrior(nn.Module):
    """The exponents of a tree: parameters if they are learned, else buffers.

    They are stored as logarithms and start from the tree's own. `learn_p0` is about the root's,
    `learn_p` about all others.
    """

    log_p0: Tensor
    log_p: Tensor

    def __init__(
        self,
        tree: LpTree,
        *,
        scale: float = 2.0,
        learn_p0: bool = False,
        learn_p: bool = False,
    ) -> None:
        super().__init__()
        self.tree, self.scale = tree, scale
        first, *others = (log(node.p) for node in walk(tree))
        place_exponents(self, "log_p0", torch.tensor(first), learned=learn_p0)
        place_exponents(self, "log_p", torch.tensor(others), learned=learn_p)

    def density(self) -> TreeDensity:
        """The density with the present exponents, to which gradients flow back."""
        exponents = torch.cat([self.log_p0[None], self.log_p]).exp()
        return TreeDensity(self.tree, exponents, self.scale)

    def read_learned(self) -> dict[str, Tensor]:
        """The present values of learned exponents: p0, and p1, p2, ... level by level."""
        return read_exponents(self.log_p0, self.log_p)
