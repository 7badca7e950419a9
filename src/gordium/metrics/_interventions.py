"""Draws of rows with one factor held, from a table of factors: nothing is encoded again.

The BetaVAE score draws pairs, each of which shares a value of its own; the FactorVAE score draws
groups of rows that all have the same value.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gordium.arrays import Integers
from gordium.metrics._shared_work import share_result

POINTS = 1024  # drawn at a time, so that memory does not grow with the draws


class Points(NamedTuple):
    """The factor that is held in each point, and rows of the table, (points, batch)."""

    held: Integers
    rows: Integers
    partners: Integers


class Table:
    """The rows of a table sorted by each factor, so that those of one value are together."""

    def __init__(self, factors: Integers) -> None:
        self.n_rows, self.n_factors = factors.shape
        factors = factors - factors.min(axis=0)
        self._order = np.argsort(factors, axis=0, kind="stable").T
        counts = [np.bincount(column) for column in factors.T]
        self._count = np.stack([c[f] for c, f in zip(counts, factors.T, strict=True)])
        begins = [np.cumsum(count) - count for count in counts]
        self._begin = np.stack([b[f] for b, f in zip(begins, factors.T, strict=True)])
        self._place = np.argsort(self._order, axis=1) - self._begin

    def pairs(self, rng: np.random.Generator, points: int, batch: int) -> Iterator[Points]:
        """Draw rows, and for each a partner with the same value of the held factor."""
        for size in _chunks(points):
            held = rng.integers(self.n_factors, size=size)
            rows = rng.integers(self.n_rows, size=(size, batch))
            k = held[:, None]
            # A partner is never the row itself: two fresh draws do not agree in all codes.
            others = self._count[k, rows] - 1
            ahead = self._place[k, rows] + 1 + (rng.random(rows.shape) * others).astype(np.int64)
            at = self._begin[k, rows] + ahead % (others + 1)
            yield Points(held, rows, self._order[k, at])

    def groups(self, rng: np.random.Generator, points: int, batch: int) -> Iterator[Points]:
        """Draw a row, and `batch` rows with its value of the held factor.

        Rows are repeated only if there are too few, since repetition would add noise to the
        variances of the group.
        """
        drawn = self.n_rows
        for size in _chunks(points):
            if drawn >= self.n_rows:  # shuffle again after as many draws as there are rows
                order, drawn = self._shuffle(rng), 0
            held = rng.integers(self.n_factors, size=size)
            first = rng.integers(self.n_rows, size=size)
            count, begin = (of[held, first][:, None] for of in (self._count, self._begin))
            at = (rng.integers(count) + np.arange(batch)) % count
            yield Points(held, first[:, None], order[held[:, None], begin + at])
            drawn += size * batch

    def _shuffle(self, rng: np.random.Generator) -> Integers:
        """The sorted rows, those of one value in random order."""
        shuffle = rng.permutation(self.n_rows)
        order = np.argsort(self._begin[:, shuffle], axis=1, kind="stable")
        return shuffle[order]


@share_result
def table_of(factors: Integers) -> Table:
    """The table of one array of factors, which the scores share."""
    return Table(factors)


def _chunks(points: int) -> list[int]:
    return [min(POINTS, points - done) for done in range(0, points, POINTS)]
