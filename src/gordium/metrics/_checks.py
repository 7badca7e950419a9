"""The border of every metric: what comes in is checked here once, and nowhere behind it."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.metrics._shared_work import shared


def check_pair(
    codes: ArrayLike, factors: ArrayLike, *, min_codes: int = 1
) -> tuple[NDArray[np.floating], NDArray[np.int64]]:
    """Codes as floats and factors as labels from 0, or an error that says what is wrong."""
    z, v = np.asarray(codes), np.asarray(factors)
    check_shapes(z, v)
    _check_number(z, min_codes)
    return _as_floats(z), _as_labels(v)


def check_codes(codes: ArrayLike, *, min_codes: int = 1) -> NDArray[np.floating]:
    """Codes alone, as floats, for the metrics that need no factors."""
    z = np.asarray(codes)
    if z.ndim != 2 or len(z) < 2:
        raise ValueError(
            f"codes must be (n_samples, n_codes) with at least 2 samples; got {z.shape}."
        )
    _check_number(z, min_codes)
    return _as_floats(z)


def check_continuous(
    codes: ArrayLike, factors: ArrayLike, *, min_codes: int = 1
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Codes and factors as double floats, for the metrics that take factors of any real value."""
    z, v = np.asarray(codes), np.asarray(factors)
    check_shapes(z, v)
    _check_number(z, min_codes)
    return _as_doubles(_as_floats(z)), _as_doubles(_as_reals(v))


def check_bins(bins: int, codes: NDArray[np.floating]) -> None:
    """At least 2 bins, and not so many that each sample of a code is alone in its own."""
    if bins < 2:
        raise ValueError(f"bins must be at least 2; got {bins}.")
    if len(codes) < bins:
        ordered = np.sort(codes, axis=0)
        alone = np.flatnonzero((ordered[1:] != ordered[:-1]).all(axis=0))
        if alone.size:
            raise ValueError(
                f"codes hold {len(codes)} samples for bins={bins}, and code columns "
                f"{alone.tolist()} never repeat a value, so that each sample may have a bin of "
                "its own; draw more samples or pass fewer bins."
            )


def check_shapes(z: NDArray[np.generic], v: NDArray[np.generic]) -> None:
    if z.ndim != 2 or v.ndim != 2 or not len(z) or not v.shape[1]:
        raise ValueError(
            "codes and factors must be (n_samples, n_codes) and (n_samples, n_factors); "
            f"got {z.shape} and {v.shape}."
        )
    if len(z) != len(v):
        raise ValueError(
            "codes and factors must have a row for each sample, in the same order; "
            f"got {z.shape} and {v.shape}. Take both from one encode pass."
        )


def _check_number(z: NDArray[np.generic], min_codes: int) -> None:
    if z.shape[1] < min_codes:
        raise ValueError(f"at least {min_codes} codes are needed; got {z.shape[1]}.")


@shared
def _as_floats(z: NDArray[np.generic]) -> NDArray[np.floating]:
    if not np.issubdtype(z.dtype, np.number) or np.issubdtype(z.dtype, np.complexfloating):
        raise TypeError(f"codes must be real numbers; got {z.dtype}. Convert them first.")
    floats: NDArray[np.floating] = np.asarray(
        z, dtype=z.dtype if np.issubdtype(z.dtype, np.floating) else np.float64
    )
    bad = np.flatnonzero(~np.isfinite(floats).all(axis=0))
    if bad.size:
        raise ValueError(
            f"code columns {bad.tolist()} hold values that are not finite; "
            "the model may have diverged. Drop those rows, or the model."
        )
    return floats


@shared
def _as_doubles(x: NDArray[np.floating]) -> NDArray[np.float64]:
    return x.astype(np.float64)


@shared
def _as_labels(v: NDArray[np.generic]) -> NDArray[np.int64]:
    if not np.issubdtype(v.dtype, np.integer):
        is_whole = v.dtype.kind == "b" or (v.dtype.kind == "f" and (v == np.rint(v)).all())
        remedy = "Pass factors.astype(int)." if is_whole else "Discretise them first."
        raise TypeError(f"factors must be integers; got {v.dtype}. {remedy}")
    _check_vary(v)
    labels = [np.unique(column, return_inverse=True)[1] for column in v.T]
    return np.stack(labels, axis=1).astype(np.int64, copy=False)


@shared
def _as_reals(v: NDArray[np.generic]) -> NDArray[np.floating]:
    if v.dtype.kind not in "iuf":
        raise TypeError(f"factors must be real numbers; got {v.dtype}. Convert them first.")
    reals: NDArray[np.floating] = np.asarray(v, dtype=v.dtype if v.dtype.kind == "f" else float)
    bad = np.flatnonzero(~np.isfinite(reals).all(axis=0))
    if bad.size:
        raise ValueError(
            f"factor columns {bad.tolist()} hold values that are not finite. Drop those rows."
        )
    _check_vary(v)
    return reals


def _check_vary(v: NDArray[np.generic]) -> None:
    constant = np.flatnonzero((v == v[0]).all(axis=0))
    if constant.size:
        raise ValueError(
            f"factor columns {constant.tolist()} take one value in all {len(v)} samples; "
            "drop them or draw more samples."
        )
