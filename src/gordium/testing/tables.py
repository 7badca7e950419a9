"""Arrays to try a metric on, the same in every process."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gordium.arrays import Floats
from gordium.factors import deviation

DSPRITES = (3, 6, 40, 32, 32)
SMALL = (3, 4, 5)
MIXING = np.array([[1.0, 0.3, 0.0], [0.0, 1.0, 0.4], [0.2, 0.0, 1.0]])


class Table(NamedTuple):
    """A representation to be scored; rows are samples."""

    codes: Floats
    factors: NDArray[Any]
    log_variances: Floats

    def scale(self, *scales: float) -> "Table":
        """Multiply each code, and the deviation of its posterior, by a number."""
        by = np.array(scales)
        widened = self.log_variances + 2 * np.log(np.abs(by))
        return Table(self.codes * by, self.factors, widened)

    def select(self, *columns: int) -> "Table":
        """Take these codes in this order; a code may be taken twice."""
        of = list(columns)
        return Table(self.codes[:, of], self.factors, self.log_variances[:, of])


def make_perfect() -> Table:
    """Draw 10,000 times from the grid of dSprites; the codes are the standardised factors."""
    return _make_table(DSPRITES, 10_000, log_variance=-8.0)


def make_entangled(noise: float) -> Table:
    """Draw three factors 600 times; the codes mix them and add noise, so that none are equal."""
    table = _make_table(SMALL, 600, log_variance=-3.0)
    eps = np.random.default_rng(1).standard_normal(table.codes.shape)
    return table._replace(codes=table.codes @ MIXING + noise * eps)


def make_small() -> Table:
    """Draw three factors 600 times; the codes are the standardised factors."""
    return _make_table(SMALL, 600, log_variance=-8.0)


def make_dead(table: Table, *columns: int, at: float = 0.1) -> Table:
    """Set these codes to a constant, and the variances of their posteriors to the prior's."""
    codes, log_variances = table.codes.copy(), table.log_variances.copy()
    codes[:, columns], log_variances[:, columns] = at, 0.0
    return table._replace(codes=codes, log_variances=log_variances)


def _make_table(sizes: tuple[int, ...], n: int, *, log_variance: float) -> Table:
    values = np.random.default_rng(0).integers(sizes, size=(n, len(sizes)))
    size = np.array(sizes)
    codes = (values - (size - 1) / 2) / deviation(size)
    return Table(codes, values, np.full(codes.shape, log_variance))
