"""Which factors are labels and which are real numbers: the user says it, or their values tell."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.lookup import pick

# The kinds of `gordium.factors`, and "binned": real numbers that are to be cut into bins.
Kind = Literal["ordered", "circular", "nominal", "continuous", "binned"]
Kinds = Mapping[Any, str | None] | Sequence[str | None]
Stated = tuple[str | None, ...]
Treatment = Literal["label", "real", "binned"]
KINDS = dict.fromkeys(get_args(Kind))


def state_kinds(factors: ArrayLike, kinds: Kinds | None) -> Stated:
    """The kind of each column, None where none is given.

    `kinds` holds one for each column, or some by the number of the column, or by its name if the
    factors are a data frame.
    """
    shape = np.shape(factors)
    n_factors = shape[1] if len(shape) == 2 else 0
    if kinds is None or not n_factors:
        return (None,) * n_factors
    if not isinstance(kinds, Mapping):
        if isinstance(kinds, str) or len(kinds) != n_factors:
            raise ValueError(
                f"kinds must hold one kind for each of the {n_factors} factors, or some as "
                f"{{column: kind}}; got {kinds!r}."
            )
        kinds = dict(enumerate(kinds))
    names = {name: k for k, name in enumerate(getattr(factors, "columns", ()))}
    for kind in kinds.values():
        if kind is not None:
            pick("kind of a factor", kind, KINDS)
    by_column = {_column(key, names, n_factors): kind for key, kind in kinds.items()}
    return tuple(by_column.get(k) for k in range(n_factors))


def _column(key: Any, names: Mapping[Any, int], n_factors: int) -> int:
    if key in names:
        return names[key]
    if isinstance(key, int | np.integer) and 0 <= key < n_factors:
        return int(key)
    known = f"; the columns are {', '.join(map(str, names))}" if names else ""
    raise ValueError(
        f"kinds speak of a column {key!r} that factors do not have: columns are numbered 0 to "
        f"{n_factors - 1}{known}."
    )


def treatments(
    stated: Stated, *tables: NDArray[Any], reals: Treatment = "real"
) -> tuple[Treatment, ...]:
    """How each column is treated: as `reals` if stated real, or if some value is not whole."""
    return tuple(
        "binned" if kind == "binned" else reals if _is_real(kind, k, tables) else "label"
        for k, kind in enumerate(stated)
    )


def _is_real(kind: str | None, k: int, tables: Sequence[NDArray[Any]]) -> bool:
    return kind == "continuous" or (kind is None and any(_has_fraction(v[:, k]) for v in tables))


def _has_fraction(column: NDArray[Any]) -> bool:
    return column.dtype.kind == "f" and not bool((column == np.rint(column)).all())


def real_factors(factors: ArrayLike, kinds: Kinds | None = None) -> list[int]:
    """The columns that count as real: stated so, or with a value that is not whole."""
    how = treatments(state_kinds(factors, kinds), np.asarray(factors))
    return [k for k, treatment in enumerate(how) if treatment == "real"]
