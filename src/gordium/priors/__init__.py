"""Priors over latent vectors other than the standard normal."""

from gordium.lookup import answer_at_the_border
from gordium.priors.lp_nested import LpNested, generalised_gaussian
from gordium.priors.lp_tree import LpTree, TreeDensity, make_tree
from gordium.priors.nested_prior import NestedPrior, check_layout, subspace_sizes
from gordium.priors.tree_prior import TreePrior

__all__ = [
    "LpNested",
    "LpTree",
    "NestedPrior",
    "TreeDensity",
    "TreePrior",
    "check_layout",
    "generalised_gaussian",
    "make_tree",
    "subspace_sizes",
]

answer_at_the_border(globals())
