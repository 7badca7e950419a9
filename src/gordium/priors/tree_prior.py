"""An L^p-nested prior of any depth with fixed or learned exponents, saved along with a model."""

from math import log
from typing import final

import torch

from gordium.priors.exponents import Exponents
from gordium.priors.lp_tree import LpTree, TreeDensity, walk


@final
class TreePrior(Exponents):
    """The exponents of a tree, which start from the tree's own.

    `learn_p0` is about the root's, `learn_p` about all others, level by level.
    """

    def __init__(
        self, tree: LpTree, *, scale: float = 2.0, learn_p0: bool = False, learn_p: bool = False
    ) -> None:
        first, *others = (log(node.p) for node in walk(tree))
        super().__init__(torch.tensor(first), torch.tensor(others), learn_p0, learn_p)
        self.tree, self.scale = tree, scale

    def density(self) -> TreeDensity:
        """The density with the present exponents, to which gradients flow back."""
        exponents = torch.cat([self.log_p0[None], self.log_p]).exp()
        return TreeDensity(self.tree, exponents, self.scale)
