"""Rows to fit a predictor on and rows to test it on, for the metrics that fit one."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.metrics._checks import check_codes, check_pair
from gordium.metrics._shared_work import shared

Labels = NDArray[np.int64]


class Split(NamedTuple):
    """Factors are labels from 0 of the values in the rows to fit; -1 is a value not among them."""

    codes: NDArray[np.floating]
    factors: Labels
    test_codes: NDArray[np.floating]
    test_factors: Labels


def hold_out(
    codes: ArrayLike,
    factors: ArrayLike,
    test: tuple[ArrayLike, ArrayLike] | None,
    *,
    min_codes: int = 1,
) -> Split:
    """All rows to fit and `test` to test; without it, the last third of the rows to test."""
    if test is not None:
        return _split(codes, factors, test, min_codes)
    check_pair(codes, factors, min_codes=min_codes)
    return _last_third(np.asarray(codes), np.asarray(factors))


def all_rows(
    codes: ArrayLike, factors: ArrayLike, test: tuple[ArrayLike, ArrayLike] | None
) -> Split:
    """All rows to fit and `test` to test; without it, the same rows, as from one data set."""
    if test is not None:
        return _split(codes, factors, test, 1)
    return _same_rows(np.asarray(codes), np.asarray(factors))


@shared
def _same_rows(codes: NDArray[np.generic], factors: NDArray[np.generic]) -> Split:
    z, v = check_pair(codes, factors)
    return Split(z, v, z, v)


@shared
def _last_third(codes: NDArray[np.generic], factors: NDArray[np.generic]) -> Split:
    if len(codes) < 6:
        raise ValueError(
            f"at least 6 samples are needed to hold out a third; got {len(codes)}. Pass test=."
        )
    kept = len(codes) - len(codes) // 3
    return _split(codes[:kept], factors[:kept], (codes[kept:], factors[kept:]), 1)


def _split(
    codes: ArrayLike, factors: ArrayLike, test: tuple[ArrayLike, ArrayLike], min_codes: int
) -> Split:
    z, v = check_pair(codes, factors, min_codes=min_codes)
    z_test, raw = check_codes(test[0]), np.asarray(test[1])
    if (z_test.shape[1], *raw.shape) != (z.shape[1], len(z_test), v.shape[1]):
        raise ValueError(
            f"test must be a pair of arrays with {z.shape[1]} codes and {v.shape[1]} factors; "
            f"got {z_test.shape} and {raw.shape}."
        )
    if not np.issubdtype(raw.dtype, np.integer):
        raise TypeError(f"the factors of test must be integers; got {raw.dtype}.")
    known = zip(np.asarray(factors).T, raw.T, strict=True)
    return Split(z, v, z_test, np.stack([_labels(*pair) for pair in known], axis=1))


def _labels(fitted: NDArray[np.generic], tested: NDArray[np.generic]) -> Labels:
    values = np.unique(fitted)
    nearest = np.searchsorted(values, tested).clip(max=len(values) - 1)
    return np.where(values[nearest] == tested, nearest, -1)
