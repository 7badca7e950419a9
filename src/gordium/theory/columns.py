"""Which rotation of the latent space is cheapest: the one that isolates sources of variance.

Rolinek et al. 2019, Section 4.2 and Propositions 1 and S6.
"""

import numpy as np

from gordium.arrays import Floats
from gordium.theory.precision import column_norms


def column_norm_product(matrix: Floats) -> Floats:
    """col_Pi(M) = prod_j |M e_j|, on which the loss depends at the optimal noise (27)."""
    return np.prod(column_norms(matrix), axis=-1)


def volume(matrix: Floats) -> Floats:
    """The volume of the image of the unit cube, which no rotation of the cube changes (28).

    The product of the singular values, det^dagger(M) of (S37): a lower bound on col_Pi(M), met
    exactly where the columns are orthogonal (Proposition S6).
    """
    return np.prod(np.linalg.svd(matrix, compute_uv=False), axis=-1)


def largest_cosine(matrix: Floats) -> Floats:
    """The largest |cosine| between two columns; 0 if all are orthogonal."""
    unit = matrix / column_norms(matrix)[..., None, :]
    cosines = np.abs(np.swapaxes(unit, -1, -2) @ unit)
    d = matrix.shape[-1]
    return np.max(cosines * (1 - np.eye(d)), axis=(-1, -2))


def has_orthogonal_columns(matrix: Floats, *, tolerance: float = 1e-8) -> bool:
    """Whether (a) of Proposition 1 holds, by Lemma S3(b): M^T M is diagonal."""
    return bool(largest_cosine(matrix) < tolerance)


def preserves_axes(matrix: Floats, *, tolerance: float = 1e-8) -> bool:
    """Whether (b) of Proposition 1 holds: in the SVD M = U Sigma V^T, |V| is a permutation.

    This is equivalent to (a) if the singular values are distinct and none is zero; otherwise V is
    not unique, and the one that is found here says little.
    """
    v = np.abs(np.linalg.svd(matrix, full_matrices=False)[2])
    return bool(np.abs(v - np.rint(v)).max() < tolerance)


def has_distinct_scales(matrix: Floats, *, tolerance: float = 1e-8) -> bool:
    """Whether Proposition 1's assumption holds: d distinct singular values, none of them zero.

    With fewer rows than columns there is always a zero among them.
    """
    values = np.linalg.svd(matrix, compute_uv=False)
    gaps = -np.diff(np.append(values, 0.0))
    is_tall = matrix.shape[0] >= matrix.shape[1]
    return is_tall and bool(gaps.min() > tolerance * values[0])


def best_rotation(matrix: Floats) -> Floats:
    """V that solves (27): the columns of M V^T are orthogonal; their norms' product is `volume`."""
    return np.linalg.svd(matrix, full_matrices=False)[2]


def rotation(angle: float) -> Floats:
    """The counter-clockwise rotation (2, 2) by an angle in radians."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])
