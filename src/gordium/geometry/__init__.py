"""The geometry of decoders: any function from latent points to images will do.

A data set with known factors is one too: `audit` looks at it as a decoder of its factors.
"""

from gordium.geometry.alignment import alignment_score, angles, chance_distance, factor_distances
from gordium.geometry.audit import Audit, Pair, audit
from gordium.geometry.local_pca import LocalPCA, local_pca, neighbour_jacobians
from gordium.geometry.orthogonality import (
    closest_signed_permutation,
    matrix_distance,
    near_degenerate,
)
from gordium.geometry.posterior_radius import posterior_radius

__all__ = [
    "Audit",
    "LocalPCA",
    "Pair",
    "alignment_score",
    "angles",
    "audit",
    "chance_distance",
    "closest_signed_permutation",
    "factor_distances",
    "local_pca",
    "matrix_distance",
    "near_degenerate",
    "neighbour_jacobians",
    "posterior_radius",
]
