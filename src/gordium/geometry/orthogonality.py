"""How far a decoder's principal latent directions are from the latent axes, from Gram matrices.

The right singular vectors V of a Jacobian J are the eigenvectors of J^T J, so (d, d) matrices
are all that is needed.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linear_sum_assignment

from gordium.arrays import Floats

NEAR = 0.01
NEGLIGIBLE = 1e-4


def matrix_distance(gram: ArrayLike) -> Floats:
    """|V - P(V)|_F for each Gram matrix J^T J in (n, d, d): the summands of Rolinek 2019 (29).

    V has the singular vectors of J as columns. Their order and signs do not matter: changing
    them multiplies V and all signed permutations by one signed permutation. Where singular
    values repeat, V is not determined and is what the eigensolver returns (see
    `near_degenerate`). Nor does it matter which of several nearest P is taken: |V - P|^2 is
    2d - 2 sum of |V_ij| over the support of P, so all have the same distance in this norm too.
    """
    vectors = np.linalg.eigh(_check_gram(gram))[1]
    return np.array([np.linalg.norm(v - closest_signed_permutation(v)) for v in vectors])


def near_degenerate(gram: ArrayLike, *, tolerance: float = NEAR) -> NDArray[np.bool_]:
    """Whether each Gram matrix in (n, d, d) hardly determines V: (n,) of bool.

    This is so if two neighbouring singular values a >= b have a - b <= tolerance * a, or differ
    by at most 1e-4 of the largest one, as those of two passive units do.
    """
    if not 0 <= tolerance < 1:
        raise ValueError(f"tolerance must lie in [0, 1); got {tolerance}.")
    values = np.sqrt(np.maximum(0.0, np.linalg.eigvalsh(_check_gram(gram))))
    lower, upper, largest = values[:, :-1], values[:, 1:], values[:, -1:]
    return (upper - lower <= np.maximum(tolerance * upper, NEGLIGIBLE * largest)).any(axis=1)


def closest_signed_permutation(matrix: ArrayLike) -> Floats:
    """The signed permutation P with the least sum |V - P| for V with entries in [-1, 1].

    It solves the mixed-integer programme (S75): that programme's P+ and P- sum to a permutation
    matrix, so P has one entry +-1 in each row and column, and D is |V - P|. The sign of V_ij is
    never worse than the other, and costs 1 - |V_ij| in place of |V_ij|. So the objective is
    sum |V| + d - 2 sum of |V_ij| over the support, and an assignment maximises the last sum.
    """
    v = np.asarray(matrix, dtype=np.float64)
    rows, columns = linear_sum_assignment(np.abs(v), maximize=True)
    nearest = np.zeros_like(v)
    nearest[rows, columns] = np.where(v[rows, columns] < 0, -1.0, 1.0)
    return nearest


def _check_gram(gram: ArrayLike) -> Floats:
    g: NDArray[Any] = np.asarray(gram, dtype=np.float64)
    if g.ndim != 3 or g.shape[1] != g.shape[2] or 0 in g.shape:
        raise ValueError(f"Gram matrices must be (n, d, d); got {g.shape}.")
    if not np.isfinite(g).all():
        raise ValueError("Gram matrices must be finite; the decoder's Jacobian is not.")
    if not np.allclose(g, g.swapaxes(1, 2), rtol=1e-5, atol=1e-6 * np.abs(g).max()):
        raise ValueError("Gram matrices must be symmetric; give J^T J, not J.")
    return 0.5 * (g + g.swapaxes(1, 2))
