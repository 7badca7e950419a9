"""Pairs of images that share some factors: the weak supervision of several methods.

Pairs are drawn in whole batches from tables; a way to draw them is a frozen dataclass, so that
it is its own declaration.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log
from typing import NamedTuple, Protocol, final

import numpy as np
from numpy.typing import NDArray

from gordium.arrays import Floats
from gordium.checks import check_least, check_positive
from gordium.factors import Factor, Integers

Bools = NDArray[np.bool_]


class Pairs(NamedTuple):
    """Factor values of both views of each pair, and which factors they share: (n, k) each.

    Factors that a pairing redraws may agree by chance: `shared` says what is known of a pair.
    """

    first: Integers
    second: Integers
    shared: Bools


class Pairing(Protocol):
    """A way to draw pairs, e.g. with one factor shared or with small steps between the two."""

    def draw(self, factors: Sequence[Factor], n: int, rng: np.random.Generator) -> Pairs:
        """Draw `n` pairs of factor vectors."""


@final
@dataclass(frozen=True)
class LAP:
    """Truncated Laplace steps of all factors but nominal ones (Klindt et al. 2021, "LAP").

    A value goes to j with a chance proportional to exp(-|i - j| / scale), scale = ln(size) /
    rate, within the range; circular factors do not wrap. Where nothing changed, one factor
    is picked at random and must move.
    """

    rate: float = 1.0

    def __post_init__(self) -> None:
        check_positive(rate=self.rate)

    def draw(self, factors: Sequence[Factor], n: int, rng: np.random.Generator) -> Pairs:
        free, moves = laplace_tables(tuple(factors), self.rate)
        first = _draw_factors(factors, n, rng)
        second = _draw_values(moves[0, np.arange(len(factors)), first], rng)
        same = np.flatnonzero((first == second).all(axis=1))
        column = free[rng.integers(len(free), size=len(same))]
        second[same, column] = _draw_values(moves[1, column, first[same, column]], rng)
        return Pairs(first, second, first == second)


@final
@dataclass(frozen=True)
class UNI:
    """`k` factors get other values, all equally likely; by default 1 to all but one of them.

    The "UNI" pairs of Klindt et al. 2021: `k` is drawn anew for each pair if it is None.
    """

    k: int | None = None

    def __post_init__(self) -> None:
        check_least(1, k=self.k)

    def draw(self, factors: Sequence[Factor], n: int, rng: np.random.Generator) -> Pairs:
        free = _list_free(factors)
        if len(free) < (2 if self.k is None else self.k):
            raise ValueError(
                f"UNI changes {self.k or '1 to all but one'} of the factors with two values or "
                f"more, of which there are {len(free)}; choose another k or other pairs."
            )
        first = _draw_factors(factors, n, rng)
        k = rng.integers(1, len(free), size=(n, 1)) if self.k is None else self.k
        ranks = rng.random((n, len(free))).argsort(axis=1)
        sizes = _sizes(factors)[free]
        others = (first[:, free] + 1 + _draw_below(sizes - 1, n, rng)) % sizes
        second = first.copy()
        second[:, free] = np.where(ranks < k, others, first[:, free])
        return Pairs(first, second, first == second)


@final
@dataclass(frozen=True)
class FullSharing:
    """One factor, drawn at random, is shared; all others are redrawn.

    The full sharing of Shu et al. 2020: a redrawn factor may get its old value again.
    """

    def draw(self, factors: Sequence[Factor], n: int, rng: np.random.Generator) -> Pairs:
        first, redrawn = _draw_factors(factors, 2 * n, rng).reshape(2, n, -1)
        shared = rng.integers(len(factors), size=(n, 1)) == np.arange(len(factors))
        return Pairs(first, np.where(shared, first, redrawn), shared)


@lru_cache(maxsize=8)
def laplace_tables(factors: tuple[Factor, ...], rate: float) -> tuple[Integers, Floats]:
    """The factors that move, and cumulative chances (2, k, from, to) of their values.

    The first table allows a step of 0, the second does not. Rows are filled up with ones, so the
    number of entries that a uniform number reaches is a value. Other factors keep theirs in both.
    """
    free = [i for i in _list_free(factors) if factors[i].kind != "nominal"]
    if not free:
        raise ValueError(
            "LAP moves ordered and circular factors of two values or more, and there is none; "
            "choose UNI pairs."
        )
    size = max(factor.size for factor in factors)
    moves = np.broadcast_to(np.tri(size).T, (2, len(factors), size, size)).copy()
    for i in free:
        values = np.arange(factors[i].size)
        step = np.exp(-np.abs(values[:, None] - values) * (rate / log(len(values))))
        for table, chances in enumerate((step, step * (values[:, None] != values))):
            cumulative = chances.cumsum(axis=1)
            moves[table, i, : len(values), : len(values)] = cumulative / cumulative[:, -1:]
    return np.array(free), moves


def _draw_values(cumulative: Floats, rng: np.random.Generator) -> Integers:
    """One value for each row of cumulative chances."""
    u = rng.random(cumulative.shape[:-1])
    return (cumulative <= u[..., None]).sum(axis=-1)


def _draw_factors(factors: Sequence[Factor], n: int, rng: np.random.Generator) -> Integers:
    return _draw_below(_sizes(factors), n, rng)


def _draw_below(sizes: Integers, n: int, rng: np.random.Generator) -> Integers:
    """Values (n, columns) from 0 to size - 1; for small n this is faster than rng.integers."""
    return (rng.random((n, len(sizes))) * sizes).astype(np.int64)


def _sizes(factors: Sequence[Factor]) -> Integers:
    return np.array([factor.size for factor in factors])


def _list_free(factors: Sequence[Factor]) -> list[int]:
    return [i for i, factor in enumerate(factors) if factor.size > 1]
