"""The lemmas and the trace inequality behind Theorem 1 of Zietlow et al. 2021."""

import numpy as np
from numpy.typing import ArrayLike

from gordium.arrays import Floats


def trace_gap(matrix: ArrayLike) -> float:
    """tr(M) - n det(M)^(1/n) of a positive semi-definite n x n matrix: Eq. 27.

    Proposition 1: it is never negative, and 0 only if M is a multiple of the identity. It is n
    times the difference of the arithmetic and the geometric mean of the eigenvalues (Eq. 28).
    """
    m = np.asarray(matrix, dtype=np.float64)
    if m.ndim != 2 or m.shape[0] != m.shape[1] or not np.allclose(m, m.T):
        raise ValueError(f"matrix must be square and symmetric; got shape {m.shape}.")
    values = np.linalg.eigvalsh(m)
    if values[0] < -1e-10 * max(1.0, values[-1]):
        raise ValueError(f"matrix must have no negative eigenvalue; got {values[0]:g}.")
    positive = np.clip(values, 0.0, None)
    geometric = 0.0 if positive[0] == 0 else float(np.exp(np.log(positive).mean()))
    return float(positive.sum() - len(m) * geometric)


def best_scale(means: ArrayLike, deviations: ArrayLike | None = None) -> float:
    """The factor c > 0 on one latent unit that makes its KL term smallest.

    Lemma 1 minimises sum_i (c^2 x_i^2 - log(c^2 y_i^2)) over c. The minimum is at
    c = sqrt(n / sum x_i^2), so that the means c x_i have mean square 1. (The paper prints
    sqrt(sum x_i^2).) It does not depend on the deviations y. Give them to minimise the whole KL
    term of Eq. 4, which adds c^2 y_i^2: then means and noise together have mean square 1.
    """
    x = np.asarray(means, dtype=np.float64)
    y = np.zeros_like(x) if deviations is None else np.asarray(deviations, dtype=np.float64)
    if x.ndim != 1 or x.shape != y.shape:
        raise ValueError(
            f"means and deviations must be vectors of one length; got {x.shape} and {y.shape}."
        )
    square = float(np.mean(x**2 + y**2))
    if square == 0:
        raise ValueError("all means are 0, so the KL term has no minimum: it falls as c grows.")
    return square**-0.5


def absorb_diagonals(matrix: ArrayLike, diagonal: ArrayLike) -> Floats:
    """diag(M D) and diag(D M) as two rows, for a square M and a diagonal matrix D.

    Lemma 2: both are zero if the diagonal of M is, and so are their sums, the traces. Here they
    are multiplied out, so that one can see the lemma hold, or fail for another M.
    """
    m = np.asarray(matrix, dtype=np.float64)
    d = np.diag(np.asarray(diagonal, dtype=np.float64))
    if m.ndim != 2 or m.shape != d.shape:
        raise ValueError(
            "matrix must be n x n and diagonal a vector of n numbers; "
            f"got {m.shape} and {np.shape(diagonal)}."
        )
    return np.stack([np.diag(m @ d), np.diag(d @ m)])
