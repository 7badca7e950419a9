"""Priors over latent vectors other than the standard normal."""

from gordium.lookup import answer_at_the_border
from gordium.priors.lp_nested import LpNested, generalised_gaussian
from gordium.priors.lp_tree import LpTree
from gordium.priors.nested_prior import NestedPrior, check_layout, subspace_sizes

__all__ = [
    "LpNested",
    "LpTree",
    "NestedPrior",
    "check_layout",
    "generalised_gaussian",
    "subspace_sizes",
]

answer_at_the_border(globals())
