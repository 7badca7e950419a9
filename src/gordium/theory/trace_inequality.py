"""The trace inequality behind Theorem 1 of Zietlow et al. 2021."""

import numpy as np
from numpy.typing import ArrayLike


def trace_gap(matrix: ArrayLike) -> float:
    """tr(M) - n det(M)^(1/n) of a positive semi-definite n x n matrix: Eq. 27.

    Proposition 1: never negative, and 0 only where M is a multiple of the identity. It is n
    times the arithmetic mean of the eigenvalues less their geometric mean (Eq. 28).
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
