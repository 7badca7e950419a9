"""The geometry of decoders: any function from latent points (n, d) to images (n, ...) will do."""

from gordium.geometry.columns import ColumnPictures, column_pictures
from gordium.geometry.distance import Orthogonality, distance_to_orthogonality
from gordium.geometry.importance import importance_order
from gordium.geometry.jacobian import Decoder, gram_matrices, jacobian
from gordium.geometry.loss_decomposition import LossDecomposition, loss_decomposition
from gordium.geometry.orthogonality import (
    closest_signed_permutation,
    matrix_distance,
    near_degenerate,
)
from gordium.geometry.polarised import PolarisedRegime, polarised_regime, polarised_share
from gordium.geometry.random_distances import (
    random_decoder_distances,
    random_matrix_distances,
    random_rotation_distances,
)
from gordium.geometry.traversals import plane_traversal, traversals

__all__ = [
    "ColumnPictures",
    "Decoder",
    "LossDecomposition",
    "Orthogonality",
    "PolarisedRegime",
    "closest_signed_permutation",
    "column_pictures",
    "distance_to_orthogonality",
    "gram_matrices",
    "importance_order",
    "jacobian",
    "loss_decomposition",
    "matrix_distance",
    "near_degenerate",
    "plane_traversal",
    "polarised_regime",
    "polarised_share",
    "random_decoder_distances",
    "random_matrix_distances",
    "random_rotation_distances",
    "traversals",
]
