"""Checks of single arrays: no masks, finite numbers, and sizes that can be computed with."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.metrics._shared_work import share_result

SMALL, LARGE = 1e-100, 1e30  # squares and fourth powers of what lies between can be computed
MEMORY = 2**31  # bytes for one table
EXACT = 2**53  # beyond it, several whole numbers become the same float


def as_array(given: ArrayLike, name: str) -> NDArray[Any]:
    """What was given as an array; an array that hides entries behind a mask is refused."""
    if np.ma.isMaskedArray(given) and np.ma.is_masked(given):
        hidden = np.ma.getmaskarray(given)
        rows = int(hidden.reshape(len(hidden), -1).any(axis=1).sum())
        raise ValueError(
            f"{name} are masked in {rows} of {len(hidden)} rows, and no metric guesses what is "
            f"hidden; drop those rows from all arrays, or pass {name}.data to use it."
        )
    return np.asarray(given)


def check_finite(x: NDArray[np.floating], what: str, remedy: str) -> None:
    """Refuse columns with NaN or infinity."""
    bad = np.flatnonzero(~np.isfinite(x).all(axis=0))
    if bad.size:
        raise ValueError(f"{what} columns {bad.tolist()} hold values that are not finite{remedy}")


@share_result
def make_computable(
    x: NDArray[np.floating], what: str, asked: tuple[bool, ...] | None = None
) -> NDArray[np.floating]:
    """Refuse columns too large or too small to be squared; double precision where it is needed."""
    greatest = np.maximum(x.max(axis=0), -x.min(axis=0))
    beyond = (greatest > LARGE) | ((greatest < SMALL) & (greatest > 0))
    bad = np.flatnonzero(beyond & (True if asked is None else np.array(asked)))
    if bad.size:
        raise ValueError(
            f"{what} columns {bad.tolist()} reach {greatest[bad[0]]:.0e}; what lies beyond "
            f"{LARGE:.0e} or below {SMALL:.0e} cannot be squared. Divide the columns by their "
            "greatest value, or drop the model if it has diverged."
        )
    extreme = (greatest > 1e15) | ((greatest < 1e-15) & (greatest > 0))
    return x.astype(np.float64) if extreme.any() else x


def check_memory(n_classes: int, n_rows: int, bytes_each: int) -> None:
    """Refuse labels of so many values that a table of classes by rows would fill the memory."""
    needed = n_classes * n_rows * bytes_each
    if needed > MEMORY:
        raise ValueError(
            f"a factor of {n_classes:,} values in {n_rows:,} rows would take {needed / 1e9:.0f} GB "
            'as classes; call it "continuous" or "binned" in kinds, or score fewer rows.'
        )


def check_exact(v: NDArray[Any], asked: NDArray[np.bool_] | None = None) -> None:
    """Refuse whole numbers so large that different ones become the same float."""
    if v.dtype.kind not in "iu":
        return
    beyond = (v > EXACT).any(axis=0) | (v < -EXACT).any(axis=0)
    bad = np.flatnonzero(beyond & (True if asked is None else asked))
    if bad.size:
        raise ValueError(
            f"factor columns {bad.tolist()} hold whole numbers beyond 2**53, which floats cannot "
            "tell apart; subtract the least of each column first."
        )
