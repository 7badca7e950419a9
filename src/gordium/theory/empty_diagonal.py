"""A matrix with an empty diagonal absorbs diagonal ones (Zietlow et al. 2021, Lemma 2)."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def absorb_diagonals(matrix: ArrayLike, diagonal: ArrayLike) -> NDArray[np.float64]:
    """diag(M D) and diag(D M) as two rows, for a square M and a diagonal matrix D.

    Lemma 2: both are zero if the diagonal of M is, and so are their sums, the traces. Here they
    are multiplied out, so that the lemma can be seen to hold, or to fail for another M.
    """
    m = np.asarray(matrix, dtype=np.float64)
    d = np.diag(np.asarray(diagonal, dtype=np.float64))
    if m.ndim != 2 or m.shape != d.shape:
        raise ValueError(
            "matrix must be n x n and diagonal a vector of n numbers; "
            f"got {m.shape} and {np.shape(diagonal)}."
        )
    return np.stack([np.diag(m @ d), np.diag(d @ m)])
