"""The factors that generate a data set: their names and sizes, and the indices of their grid."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from operator import index
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.arrays import Integers as Integers
from gordium.fields import added
from gordium.lookup import pick

Kind = Literal["ordered", "circular", "nominal", "continuous"]


@dataclass(frozen=True)
class Factor:
    """One generating factor: it takes the values 0 to size - 1.

    `circular` values wrap around (the last is next to the first); `nominal` ones have no order;
    `continuous` ones are real numbers, and their size is 0. `labels` are words for the values,
    if there are any. A factor that is not `scored` is a nuisance: images vary with it, and metrics
    are not asked about it.
    """

    name: str
    size: int
    kind: Kind = "ordered"
    labels: tuple[str, ...] = added((), compare=False)
    scored: bool = added(True)

    def place_of(self, value: int | str) -> int:
        """The value that a word or a whole number stands for."""
        if isinstance(value, str):
            return pick(f"value of {self.name}", value, {w: i for i, w in enumerate(self.labels)})
        if self.kind == "continuous":
            raise ValueError(
                f"{self.name} is a real number, which no two images may share; cut it into bins "
                "with numpy.digitize before you hold it."
            )
        if not isinstance(value, int | np.integer):
            raise TypeError(
                f"{self.name} is held at a whole number from 0 to {self.size - 1}, or at one of "
                f"its labels; got {value!r}."
            )
        return index(value)


def list_scored(factors: Sequence[Factor]) -> list[int]:
    """The columns of a table of factor values that metrics are asked about."""
    return [column for column, factor in enumerate(factors) if factor.scored]


def column_of(factors: Sequence[Factor], name: str) -> int:
    """The column of the factor called `name`; an unknown name is told the nearest ones."""
    return pick("factor", name, {factor.name: i for i, factor in enumerate(factors)})


def deviation(sizes: ArrayLike) -> NDArray[np.float64]:
    """The standard deviation of the values 0 to size - 1, for each size; all are as frequent."""
    return np.sqrt((np.asarray(sizes, dtype=np.float64) ** 2 - 1) / 12)


def grid_size(factors: Sequence[Factor]) -> int:
    """How many combinations of values there are."""
    return prod(factor.size for factor in factors)


def factors_at(factors: Sequence[Factor], indices: ArrayLike) -> Integers:
    """Factor values (n, k) of grid indices, row-major: the last factor changes fastest.

    >>> factors_at((Factor("shape", 3), Factor("x", 4)), [0, 5]).tolist()
    [[0, 0], [1, 1]]
    """
    flat = check_indices(indices, grid_size(factors))
    return np.stack(np.unravel_index(flat, [factor.size for factor in factors]), axis=1)


def index_of(factors: Sequence[Factor], values: ArrayLike) -> Integers:
    """Grid indices of factor values (n, k): the inverse of `factors_at`.

    >>> index_of((Factor("shape", 3), Factor("x", 4)), [[0, 0], [1, 1]]).tolist()
    [0, 5]
    """
    table = np.asarray(values)
    if table.ndim != 2 or table.shape[1] != len(factors):
        raise ValueError(
            f"factors must be (n_samples, {len(factors)}), one column each for "
            f"{', '.join(factor.name for factor in factors)}; got {table.shape}."
        )
    for column, factor in zip(table.T, factors, strict=True):
        _check_range(f"factor {factor.name}", column, factor.size)
    return np.ravel_multi_index(tuple(table.T), [factor.size for factor in factors])


def check_indices(indices: ArrayLike, size: int) -> Integers:
    """Indices as an integer array; anything but integers from 0 to size - 1 is an error."""
    flat = np.asarray(indices)
    if flat.ndim != 1:
        raise ValueError(f"indices must be one-dimensional; got shape {flat.shape}.")
    if flat.size and not np.issubdtype(flat.dtype, np.integer):
        raise TypeError(f"indices must be integers; got {flat.dtype}.")
    _check_range("indices", flat, size)
    return flat.astype(np.int64, copy=False)


def _check_range(what: str, values: NDArray[np.integer], size: int) -> None:
    if values.size and (values.min() < 0 or values.max() >= size):
        raise IndexError(
            f"{what} must lie in 0 to {size - 1}; got {values.min()} to {values.max()}."
        )
