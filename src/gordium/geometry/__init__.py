"""The geometry of decoders: any function from latent points to images will do."""

from gordium.geometry.orthogonality import (
    closest_signed_permutation,
    matrix_distance,
    near_degenerate,
)

__all__ = ["closest_signed_permutation", "matrix_distance", "near_degenerate"]
