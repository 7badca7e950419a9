"""Turning the user's columns of values into factors with kinds and labels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.arrays import Integers
from gordium.factors import Factor, Kind

KINDS = get_args(Kind)


@dataclass(frozen=True)
class Meaning:
    """Kinds of factors, and labels: words for the values 0, 1, ...

    Labels also fix the order of a column of words, and how many values there are.
    """

    kinds: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def check(self, names: Sequence[str]) -> None:
        """Refuse kinds or labels of factors that are not in `names`, and unknown kinds."""
        for what, said in (("kinds", self.kinds), ("labels", self.labels)):
            if wrong := sorted(set(said) - set(names)):
                raise ValueError(
                    f"{what} names {', '.join(wrong)}; factors are {', '.join(names)}."
                )
        for name, kind in self.kinds.items():
            if kind not in KINDS:
                raise ValueError(
                    f"the kind of {name} must be one of {', '.join(KINDS)}; got {kind!r}."
                )


def name_columns(factors: Any, names: Sequence[str] | None) -> dict[str, NDArray[Any]]:
    """Return columns by name, from a mapping, a pandas DataFrame or Series, or an array (n, k)."""
    if names is None and isinstance(getattr(factors, "name", None), str):  # a Series
        factors = {factors.name: factors}
    if hasattr(factors, "columns") and hasattr(factors, "to_numpy"):  # a DataFrame
        factors = {str(name): factors[name] for name in factors.columns}
    if isinstance(factors, Mapping):
        if names is not None:
            raise ValueError("factors have names already, their keys; leave names= out.")
        found = {str(name): _simplify(column) for name, column in factors.items()}
    else:
        found = _name_table(_simplify(factors), names)
    if not found:
        raise ValueError("factors must have at least one column.")
    return found


def categories(factors: Any) -> Meaning:
    """The kinds and labels of the columns that pandas knows to be categorical."""
    if not hasattr(factors, "columns"):
        return Meaning()
    types = {str(name): factors[name].dtype for name in factors}
    types = {n: kind for n, kind in types.items() if _are_words(getattr(kind, "categories", None))}
    return Meaning(
        {name: "ordered" if kind.ordered else "nominal" for name, kind in types.items()},
        {name: list(kind.categories) for name, kind in types.items()},
    )


def _are_words(values: Any) -> bool:
    return values is not None and all(isinstance(value, str) for value in values)


def to_factor(name: str, column: NDArray[Any], meaning: Meaning) -> tuple[Factor, NDArray[Any]]:
    """Turn a column into a factor and its values: 0, 1, ..., or real numbers.

    A column is real if some value is not a whole number, or if its kind is `continuous`.
    """
    kind = meaning.kinds.get(name)
    if column.dtype.kind not in "USbiuf":
        raise TypeError(f"factor {name} must be numbers or words; got {column.dtype}.")
    if column.dtype.kind == "f" and not np.isfinite(column).all():
        raise ValueError(f"factor {name} has values that are not finite numbers.")
    is_word = column.dtype.kind in "US"
    is_real = column.dtype.kind == "f" and not (column == np.rint(column)).all()
    if is_real or kind == "continuous":
        _check_real(name, kind, is_word or name in meaning.labels)
        return Factor(name, 0, "continuous"), column.astype(np.float64)
    found = cast(Kind, kind or ("nominal" if is_word else "ordered"))
    if name in meaning.labels:
        labels = tuple(map(str, meaning.labels[name]))
        return Factor(name, len(labels), found, labels), _find_in_labels(name, column, labels)
    levels, ranks = np.unique(column, return_inverse=True)
    labels = tuple(map(str, levels)) if is_word else ()
    return Factor(name, len(levels), found, labels), ranks.astype(np.int64)


def _check_real(name: str, kind: str | None, has_words: bool) -> None:
    if kind not in (None, "continuous"):
        raise ValueError(
            f"factor {name} has real values, and only whole numbers and words can be {kind}. "
            "Round it, or leave its kind out."
        )
    if has_words:
        raise ValueError(f"factor {name} has words for its values, so it is not continuous.")


def _find_in_labels(name: str, column: NDArray[Any], labels: tuple[str, ...]) -> Integers:
    """The place of each value among the labels; a number is taken to be a place already."""
    if len(set(labels)) != len(labels):
        raise ValueError(f"the labels of {name} must differ; got {', '.join(labels)}.")
    if column.dtype.kind not in "US":
        places = column.astype(np.int64)
        if places.min() < 0 or places.max() >= len(labels):
            raise ValueError(
                f"factor {name} has {len(labels)} labels, so its values must lie in 0 to "
                f"{len(labels) - 1}; they lie in {places.min()} to {places.max()}."
            )
        return places
    known = {label: place for place, label in enumerate(labels)}
    if missing := sorted(set(map(str, column)) - known.keys()):
        raise ValueError(
            f"factor {name} has the value {missing[0]!r}, which is not among its labels: "
            f"{', '.join(labels)}."
        )
    return np.array([known[str(value)] for value in column], np.int64)


def _name_table(table: NDArray[Any], names: Sequence[str] | None) -> dict[str, NDArray[Any]]:
    table = table[:, None] if table.ndim == 1 else table
    if table.ndim != 2:
        raise ValueError(f"factors must be (n_images, n_factors); got {table.shape}.")
    names = [f"factor_{i}" for i in range(table.shape[1])] if names is None else names
    if len(set(names)) != table.shape[1]:
        raise ValueError(f"names must be {table.shape[1]} different ones; got {list(names)}.")
    return dict(zip(names, table.T, strict=True))


def _simplify(values: ArrayLike) -> NDArray[Any]:
    """Make an array; strings that pandas holds as objects become strings of NumPy."""
    found = np.asarray(values)
    if found.dtype.kind == "O" and all(isinstance(value, str) for value in found.ravel()):
        return found.astype(str)
    return found
