"""Rows to fit a predictor on and rows to test it on, for the metrics that fit one."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.arrays import Floats, Integers
from gordium.metrics._arrays import as_array, check_finite
from gordium.metrics._checks import (
    Factors,
    as_floats,
    check_codes,
    check_tables,
    cut_into_bins,
    split_by_kind,
)
from gordium.metrics._kinds import Kinds, Treatment, state_kinds, treatments
from gordium.metrics._rows import warn_of_rows
from gordium.metrics._shared_work import share_result

Test = tuple[ArrayLike, ArrayLike]
Arrays = tuple[NDArray[Any], NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Split:
    """Rows to fit and rows to test.

    `factors` are labels from 0 of the values in the rows to fit; in `test_factors`, -1 is a value
    that does not occur there. Real factors are `reals`; `known` joins results for both kinds.
    """

    codes: NDArray[np.floating]
    factors: Integers
    test_codes: NDArray[np.floating]
    test_factors: Integers
    reals: Floats
    test_reals: Floats
    known: Factors


def hold_out(
    codes: ArrayLike,
    factors: ArrayLike,
    test: Test | None,
    *,
    kinds: Kinds | None = None,
    min_codes: int = 1,
) -> Split:
    """All rows to fit and `test` to test; without `test`, the last third of the rows to test."""
    z, v, rest, how = _check_arrays(codes, factors, test, kinds, min_codes=min_codes)
    return _split(z, v, rest, how) if rest else _hold_out_last(z, v, how)


def all_rows(
    codes: ArrayLike, factors: ArrayLike, test: Test | None, *, kinds: Kinds | None = None
) -> Split:
    """All rows to fit and `test` to test; without `test`, all rows serve for both.

    Real factors are cut into bins, so that rows share values.
    """
    z, v, rest, how = _check_arrays(codes, factors, test, kinds, reals="binned")
    return _split(z, v, rest, how) if rest else _same_rows(z, v, how)


def _check_arrays(
    codes: ArrayLike,
    factors: ArrayLike,
    test: Test | None,
    kinds: Kinds | None,
    *,
    min_codes: int = 1,
    reals: Treatment = "real",
) -> tuple[NDArray[Any], NDArray[Any], Arrays | None, tuple[Treatment, ...]]:
    """Codes, factors, both of `test` if it is given, and how each factor is treated."""
    stated = state_kinds(factors, kinds)
    z, v = check_tables(codes, factors, min_codes)
    if test is None:
        return z, v, None, treatments(stated, v, reals=reals)
    z_test, v_test = check_codes(test[0]), as_array(test[1], "the factors of test")
    if (z_test.shape[1], *v_test.shape) != (z.shape[1], len(z_test), v.shape[1]):
        raise ValueError(
            f"test must be a pair of arrays with {z.shape[1]} codes and {v.shape[1]} factors; "
            f"got {z_test.shape} and {v_test.shape}."
        )
    if v_test.dtype.kind not in "biuf":
        raise TypeError(f"the factors of test must be real numbers; got {v_test.dtype}.")
    return z, v, (z_test, v_test), treatments(stated, v, v_test, reals=reals)


@share_result
def _same_rows(codes: NDArray[Any], factors: NDArray[Any], how: tuple[Treatment, ...]) -> Split:
    z, v = as_floats(codes), split_by_kind(cut_into_bins(factors, how, factors), how)
    return Split(z, v.labels, z, v.labels, v.reals, v.reals, v)


@share_result
def _hold_out_last(codes: NDArray[Any], factors: NDArray[Any], how: tuple[Treatment, ...]) -> Split:
    as_floats(codes)
    split_by_kind(cut_into_bins(factors, how, factors), how)
    if len(codes) < 6:
        raise ValueError(
            f"at least 6 samples are needed to hold out a third; got {len(codes)}. Pass test=."
        )
    kept = len(codes) - len(codes) // 3
    rows = _split(codes[:kept], factors[:kept], (codes[kept:], factors[kept:]), how)
    warn_of_rows(codes, factors)
    return rows


def _split(
    codes: NDArray[Any], factors: NDArray[Any], test: Arrays, how: tuple[Treatment, ...]
) -> Split:
    cut, test_cut = cut_into_bins(factors, how, factors), cut_into_bins(test[1], how, factors)
    z, v, z_test = as_floats(codes), split_by_kind(cut, how), as_floats(test[0])
    real = np.array(v.is_real)
    pairs = zip(cut.T[~real], test_cut.T[~real], strict=True)
    labels = [_labels(*pair) for pair in pairs]
    tested = np.stack(labels, axis=1) if labels else np.empty((len(z_test), 0), np.int64)
    reals = test_cut[:, real].astype(np.float64)
    check_finite(reals, "in the rows to test, real factor", ". Drop those rows.")
    return Split(z, v.labels, z_test, tested, v.reals, reals, v)


def _labels(fitted: NDArray[Any], tested: NDArray[Any]) -> Integers:
    values = np.unique(fitted)
    nearest = np.searchsorted(values, tested).clip(max=len(values) - 1)
    return np.where(values[nearest] == tested, nearest, -1)
