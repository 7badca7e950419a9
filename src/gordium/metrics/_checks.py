"""The border of every metric: what comes in is checked here once, and nowhere behind it."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def check_pair(
    codes: ArrayLike, factors: ArrayLike, *, min_codes: int = 1
) -> tuple[NDArray[np.floating], NDArray[np.int64]]:
    """Codes as floats and factors as labels from 0, or an error that says what is wrong."""
    z, v = np.asarray(codes), np.asarray(factors)
    if z.ndim != 2 or v.ndim != 2 or len(z) != len(v) or not len(z):
        raise ValueError(
            "codes and factors must be (n_samples, n_codes) and (n_samples, n_factors); "
            f"got {z.shape} and {v.shape}."
        )
    if z.shape[1] < min_codes:
        raise ValueError(f"at least {min_codes} codes are needed; got {z.shape[1]}.")
    return _check_codes(z), _check_factors(v)


def check_codes(codes: ArrayLike, *, min_codes: int = 1) -> NDArray[np.floating]:
    """Codes alone, as floats, for the metrics that need no factors."""
    z = np.asarray(codes)
    if z.ndim != 2 or len(z) < 2:
        raise ValueError(
            f"codes must be (n_samples, n_codes) with at least 2 samples; got {z.shape}."
        )
    if z.shape[1] < min_codes:
        raise ValueError(f"at least {min_codes} codes are needed; got {z.shape[1]}.")
    return _check_codes(z)


def check_continuous(
    codes: ArrayLike, factors: ArrayLike, *, min_codes: int = 1
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Codes and factors as double floats, for the metrics that take factors of any real value."""
    z, v = check_codes(codes, min_codes=min_codes), np.asarray(factors)
    if v.ndim != 2 or len(z) != len(v):
        raise ValueError(
            "factors must be (n_samples, n_factors), with a row for each of codes; "
            f"got {z.shape} and {v.shape}."
        )
    if v.dtype.kind not in "iuf" or not np.isfinite(v).all():
        raise ValueError(f"factors must be finite real numbers; got {v.dtype}.")
    _check_vary(v)
    return z.astype(np.float64), v.astype(np.float64)


def _check_codes(z: NDArray[np.generic]) -> NDArray[np.floating]:
    if not np.issubdtype(z.dtype, np.number) or np.issubdtype(z.dtype, np.complexfloating):
        raise TypeError(f"codes must be real numbers; got {z.dtype}.")
    floats: NDArray[np.floating] = np.asarray(
        z, dtype=z.dtype if np.issubdtype(z.dtype, np.floating) else np.float64
    )
    bad = np.flatnonzero(~np.isfinite(floats).all(axis=0))
    if bad.size:
        raise ValueError(
            f"code columns {bad.tolist()} hold values that are not finite; "
            "the model may have diverged."
        )
    return floats


def _check_factors(v: NDArray[np.generic]) -> NDArray[np.int64]:
    if not np.issubdtype(v.dtype, np.integer):
        raise TypeError(f"factors must be integers; got {v.dtype}. Discretise them first.")
    _check_vary(v)
    labels = [np.unique(column, return_inverse=True)[1] for column in v.T]
    return np.stack(labels, axis=1).astype(np.int64, copy=False)


def _check_vary(v: NDArray[np.generic]) -> None:
    constant = np.flatnonzero((v == v[0]).all(axis=0))
    if constant.size:
        raise ValueError(
            f"factor columns {constant.tolist()} take one value in all {len(v)} samples; "
            "drop them or draw more samples."
        )
