"""Checks of what metrics are given: they are made here once, and nowhere behind it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.arrays import Floats, Integers
from gordium.metrics._arrays import as_array, check_exact, check_finite, make_computable
from gordium.metrics._kinds import Kinds, Treatment, state_kinds, treatments
from gordium.metrics._shared_work import share_result

LEAST = 4  # samples; a line through fewer fits any values
BINS = 20  # of a real factor, where a metric needs values that rows share


@dataclass(frozen=True, eq=False)
class Factors:
    """The factors of a table: labels from 0 for most, the numbers themselves for real ones."""

    labels: Integers
    reals: Floats
    is_real: tuple[bool, ...]

    def __len__(self) -> int:
        """How many factors there are."""
        return len(self.is_real)

    def merge(self, of_labels: Any, of_reals: Any) -> Floats:
        """Results for both kinds, (..., factors) each, joined in the order of the columns."""
        if not any(self.is_real):
            return np.asarray(of_labels)
        mask = np.array(self.is_real)
        labels, reals = np.asarray(of_labels, dtype=float), np.asarray(of_reals, dtype=float)
        out = np.empty((*reals.shape[:-1], len(mask)))
        out[..., mask], out[..., ~mask] = reals, labels
        return out


def check_pair(
    codes: ArrayLike,
    factors: ArrayLike,
    *,
    kinds: Kinds | None = None,
    min_codes: int = 1,
    reals: Treatment = "real",
) -> tuple[NDArray[np.floating], Factors]:
    """Codes as floats and factors by kind, or an error that says what is wrong.

    With `reals="binned"`, real factors are cut into bins, so that rows share values.
    """
    stated = state_kinds(factors, kinds)
    z, v = check_tables(codes, factors, min_codes)
    how = treatments(stated, v, reals=reals)
    return as_floats(z), split_by_kind(cut_into_bins(v, how, v), how)


def check_codes(codes: ArrayLike, *, min_codes: int = 1) -> NDArray[np.floating]:
    """Codes as floats, for the metrics that need no factors."""
    z = as_array(codes, "codes")
    if z.ndim != 2 or len(z) < 2:
        raise ValueError(
            f"codes must be (n_samples, n_codes) with at least 2 samples; got {z.shape}."
        )
    check_n_codes(z, min_codes)
    return as_floats(z)


def check_continuous(
    codes: ArrayLike, factors: ArrayLike, *, min_codes: int = 1
) -> tuple[Floats, Floats]:
    """Codes and factors in double precision, for metrics to which every factor is a number."""
    z, v = check_tables(codes, factors, min_codes)
    return _as_doubles(as_floats(z)), _as_doubles(_as_reals(v))


def check_tables(
    codes: ArrayLike, factors: ArrayLike, min_codes: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Codes and factors as arrays with the same number of rows, the factors real numbers."""
    z, v = as_array(codes, "codes"), as_array(factors, "factors")
    check_shapes(z, v)
    check_n_codes(z, min_codes)
    if v.dtype.kind not in "biuf":
        raise TypeError(
            f"factors must be real numbers; got {v.dtype}. Number the values of each column, "
            "np.unique(column, return_inverse=True)[1]."
        )
    return z, v


def check_bins(bins: int, codes: NDArray[np.floating]) -> None:
    """Refuse fewer than 2 bins, or so many that each sample of a code may have its own."""
    if not isinstance(bins, int | np.integer) or bins < 2:
        raise ValueError(f"bins must be at least 2; got {bins!r}.")
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
    """Refuse anything but two tables of the same number of rows."""
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
    if len(z) < LEAST:
        raise ValueError(
            f"at least {LEAST} samples are needed; got {len(z)}. Fewer fit whatever they are."
        )


def check_n_codes(z: NDArray[np.generic], min_codes: int) -> None:
    """Refuse fewer codes than a metric needs."""
    if z.shape[1] < min_codes:
        raise ValueError(f"at least {min_codes} codes are needed; got {z.shape[1]}.")


@share_result
def as_floats(z: NDArray[np.generic]) -> NDArray[np.floating]:
    """Codes as floats of their own precision; anything but finite real numbers is refused."""
    if not np.issubdtype(z.dtype, np.number) or np.issubdtype(z.dtype, np.complexfloating):
        raise TypeError(f"codes must be real numbers; got {z.dtype}. Convert them first.")
    floats: NDArray[np.floating] = np.asarray(
        z, dtype=z.dtype if np.issubdtype(z.dtype, np.floating) else np.float64
    )
    remedy = "; the model may have diverged. Drop those rows, or the model."
    check_finite(floats, "code", remedy)
    return make_computable(floats, "code")


@share_result
def split_by_kind(v: NDArray[Any], how: tuple[Treatment, ...]) -> Factors:
    """The columns of a table as labels or as real numbers, by how each is treated."""
    is_real = tuple(treatment == "real" for treatment in how)
    if not any(is_real):
        return Factors(_as_labels(v), np.empty((len(v), 0)), is_real)
    check_finite(v.astype(float), "factor", ". Drop those rows.")
    _check_vary(v)
    mask = np.array(is_real)
    check_exact(v, mask)
    reals = make_computable(v.astype(float), "factor", is_real)[:, mask]
    return Factors(_as_labels(v[:, ~mask]), _as_doubles(reals), is_real)


@share_result
def cut_into_bins(v: NDArray[Any], how: tuple[Treatment, ...], known: NDArray[Any]) -> NDArray[Any]:
    """The table with its columns to be binned cut into bins that hold equally many known rows."""
    columns = [k for k, treatment in enumerate(how) if treatment == "binned"]
    if not columns:
        return v
    check_finite(known.astype(float), "factor", ". Drop those rows.")
    _check_vary(known)
    out = v.astype(float)
    for k in columns:
        edges = np.quantile(known[:, k], np.linspace(0, 1, BINS + 1)[1:-1], method="lower")
        out[:, k] = np.searchsorted(np.unique(edges), v[:, k])
        if (np.searchsorted(np.unique(edges), known[:, k]) == 0).all():
            raise ValueError(
                f"factor column {k} has one value in nearly all rows, and cannot be cut into bins "
                'with equally many; call it "ordered" in kinds.'
            )
    return out


@share_result
def _as_doubles(x: NDArray[np.floating]) -> Floats:
    return x.astype(np.float64)


@share_result
def _as_labels(v: NDArray[Any]) -> Integers:
    if v.dtype.kind == "f":
        check_finite(v, "factor", ". Drop those rows.")
    _check_vary(v)
    labels = [np.unique(column, return_inverse=True)[1] for column in v.T]
    if not labels:
        return np.empty((len(v), 0), np.int64)
    return np.stack(labels, axis=1).astype(np.int64, copy=False)


@share_result
def _as_reals(v: NDArray[Any]) -> NDArray[np.floating]:
    reals: NDArray[np.floating] = np.asarray(v, dtype=v.dtype if v.dtype.kind == "f" else float)
    check_finite(reals, "factor", ". Drop those rows.")
    check_exact(v)
    _check_vary(v)
    return make_computable(reals, "factor")


def _check_vary(v: NDArray[Any]) -> None:
    constant = np.flatnonzero((v == v[0]).all(axis=0))
    if constant.size:
        raise ValueError(
            f"factor columns {constant.tolist()} take one value in all {len(v)} samples; "
            "drop them or draw more samples."
        )
