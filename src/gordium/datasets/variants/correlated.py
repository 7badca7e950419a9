"""A sample of a grid in which two factors are correlated."""

from dataclasses import dataclass
from typing import final

import numpy as np

from gordium.arrays import Floats
from gordium.checks import check_drawing
from gordium.datasets.variants.rows import Rows
from gordium.factors import Integers, column_of

SIGMAS = (1e-3, 1e3)  # widths of the Gaussian in ranges of a factor: from a line to no relation


@final
@dataclass(frozen=True)
class Correlated(Rows):
    """`n` images of a grid, drawn such that two factors have a given correlation coefficient.

    After Träuble et al. 2021: the probability of two values falls as a Gaussian with their
    distance from a line. Here values are scaled to [0, 1], and the Gaussian is as wide as gives
    the `correlation` (Pearson's, in distribution). Other factors are independent and uniform.
    """

    first: str
    second: str
    correlation: float
    n: int = 100_000
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.base.is_grid:
            raise ValueError("a correlated sample is drawn from a grid; this data set is not one.")
        check_drawing(self.n, self.seed)
        if self.first == self.second:
            raise ValueError(f"first and second must be two factors; both are {self.first!r}.")
        self.chances()

    def chances(self) -> Floats:
        """The probability of each pair of values (first, second)."""
        first, second = (self.base.factors[column].size for column in self._columns)
        if min(first, second) < 2:
            raise ValueError(f"{self.first} and {self.second} must each have at least two values.")
        return joint_chances(first, second, self.correlation)

    @property
    def _columns(self) -> list[int]:
        return [column_of(self.base.factors, name) for name in (self.first, self.second)]

    def choose(self) -> Integers:
        rng = np.random.default_rng(self.seed)
        sizes = [factor.size for factor in self.base.factors]
        values = rng.integers(sizes, size=(self.n, len(sizes)))
        chances = self.chances()
        drawn = rng.choice(chances.size, size=self.n, p=chances.ravel())
        values[:, self._columns] = np.stack(np.unravel_index(drawn, chances.shape), axis=1)
        return self.base.index_of(values)


def joint_chances(a: int, b: int, wanted: float) -> Floats:
    """Find joint probabilities (a, b) with the correlation `wanted`, by bisection of the width."""
    low, high = np.log(SIGMAS)
    reachable = abs(correlation(_table(a, b, low, wanted)))
    if not abs(wanted) <= reachable:
        raise ValueError(
            f"correlation must lie in {-reachable:.4f} to {reachable:.4f} for factors of {a} and "
            f"{b} values; got {wanted}."
        )
    for _ in range(60):
        middle = (low + high) / 2
        if abs(correlation(_table(a, b, middle, wanted))) > abs(wanted):
            low = middle
        else:
            high = middle
    return _table(a, b, high, wanted)


def _table(a: int, b: int, log_sigma: float, sign: float) -> Floats:
    u, v = np.linspace(0, 1, a)[:, None], np.linspace(0, 1, b)
    distance = (u - (v if sign >= 0 else 1 - v)) ** 2
    weights = np.exp(-(distance - distance.min()) / (2 * np.exp(2 * log_sigma)))
    return weights / weights.sum()


def correlation(chances: Floats) -> float:
    """Pearson's coefficient of two values with these joint probabilities."""
    u, v = np.arange(chances.shape[0]), np.arange(chances.shape[1])
    p, q = chances.sum(axis=1), chances.sum(axis=0)
    u, v = u - p @ u, v - q @ v
    return float(u @ chances @ v / np.sqrt((p @ u**2) * (q @ v**2)))
