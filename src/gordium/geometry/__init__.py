"""The geometry of decoders, which are any functions from latent points (n, d) to images (n, ...).

A data set with known factors is one too: `audit` takes it as a decoder of its factors.
"""

from gordium.geometry.activity import active_units, importance_order
from gordium.geometry.alignment import (
    alignment_score,
    angles,
    chance_distance,
    factor_distances,
    matched_angles,
)
from gordium.geometry.audit import Audit, Pair, audit
from gordium.geometry.distance import Orthogonality, distance_to_orthogonality
from gordium.geometry.jacobian import (
    ColumnPictures,
    Decoder,
    column_pictures,
    gram_matrices,
    jacobian,
)
from gordium.geometry.local_pca import LocalPCA, local_pca, neighbour_jacobians
from gordium.geometry.loss_decomposition import LossDecomposition, loss_decomposition
from gordium.geometry.orthogonality import (
    closest_signed_permutation,
    matrix_distance,
    near_degenerate,
)
from gordium.geometry.polarised import PolarisedRegime, polarised_regime, polarised_share
from gordium.geometry.posterior_radius import posterior_radius
from gordium.geometry.random_distances import (
    random_decoder_distances,
    random_matrix_distances,
    random_rotation_distances,
)
from gordium.geometry.traversals import plane_traversal, traversals
from gordium.lookup import answer_at_the_border

__all__ = [
    "Audit",
    "ColumnPictures",
    "Decoder",
    "LocalPCA",
    "LossDecomposition",
    "Orthogonality",
    "Pair",
    "PolarisedRegime",
    "active_units",
    "alignment_score",
    "angles",
    "audit",
    "chance_distance",
    "closest_signed_permutation",
    "column_pictures",
    "distance_to_orthogonality",
    "factor_distances",
    "gram_matrices",
    "importance_order",
    "jacobian",
    "local_pca",
    "loss_decomposition",
    "matched_angles",
    "matrix_distance",
    "near_degenerate",
    "neighbour_jacobians",
    "plane_traversal",
    "polarised_regime",
    "polarised_share",
    "posterior_radius",
    "random_decoder_distances",
    "random_matrix_distances",
    "random_rotation_distances",
    "traversals",
]

answer_at_the_border(globals())
