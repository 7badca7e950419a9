"""Which images are compared to see what a factor does around a point of the grid.

A factor has two ends around a point, one step down and one step up, around the circle if it is
circular. (Forward differences would all contain the point's own image, and its noise.) A factor
without an order, or with only two values, has a pair of its values as ends.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from gordium.factors import Factor, Integers, deviation

LOW, CENTRE, HIGH = range(3)


@dataclass(frozen=True)
class Arm:
    """The ends of one factor: each row of `values` (c, 3) is low, centre and high at one place.

    `weight` turns a difference of two images into a change per standard deviation of the factor.
    In a pair, the first value is also the centre.
    """

    values: Integers
    weight: float
    is_pair: bool


def arm(factor: Factor, *, step: int = 1, period: int | None = None) -> Arm:
    """Make the arm of a factor; `step` is the distance of its ends from the centre.

    `period` is the number of different values of a circular factor whose last ones repeat.
    """
    size = period or factor.size
    if is_paired(factor):
        pairs = [(a, a, b) for a, b in combinations(range(size), 2)]
        # The mean of |x_a - x_b|^2 over pairs is 2 m / (m - 1) times the variance over values.
        return Arm(np.array(pairs), float(np.sqrt((size - 1) / (2 * size))), True)
    if not 1 <= step <= longest_step(factor, period):
        raise ValueError(
            f"a step of factor {factor.name} must lie in 1 to {longest_step(factor, period)}, "
            f"which its {size} values have room for; got {step}."
        )
    centre = np.arange(size) if factor.kind == "circular" else np.arange(step, size - step)
    values = np.stack([centre - step, centre, centre + step], axis=1) % size
    return Arm(values, float(deviation(size) / (2 * step)), False)


def is_paired(factor: Factor) -> bool:
    """Whether any two values are neighbours: no order, two values, or a circle of three."""
    return factor.kind == "nominal" or factor.size <= (3 if factor.kind == "circular" else 2)


def longest_step(factor: Factor, period: int | None = None) -> int:
    """The longest step with ends within the range, or at most half a circle apart."""
    size = period or factor.size
    return max(1, size // 4) if factor.kind == "circular" else max(1, (size - 1) // 2)


@dataclass(frozen=True)
class Stencil:
    """The arms of all factors. A cell is one place of each arm."""

    arms: tuple[Arm, ...]

    def __len__(self) -> int:
        return int(np.prod([len(a.values) for a in self.arms], dtype=object))

    def draw(self, n: int, rng: np.random.Generator) -> Integers:
        """Cells (m, k, 3): all of them if there are at most `n`, else `n` different ones."""
        total = len(self)
        flat = np.arange(total) if total <= n else rng.choice(total, size=n, replace=False)
        places = np.unravel_index(flat, [len(a.values) for a in self.arms])
        columns = [a.values[place] for a, place in zip(self.arms, places, strict=True)]
        return np.stack(columns, axis=1)

    def ends(self, cells: Integers, k: int) -> Iterator[tuple[Integers, Integers]]:
        """Factor values (m, k) of the low and the high end of factor k.

        A pair has several such: the factors of the other pairs take both their values in turn, so
        that the differences of two pairs do not share an image with one sign only.
        """
        others = self._pairs_beside(k)
        for corner in product((LOW, HIGH), repeat=len(others)):
            low = cells[:, :, CENTRE].copy()
            for other, end in zip(others, corner, strict=True):
                low[:, other] = cells[:, other, end]
            high = low.copy()
            low[:, k], high[:, k] = cells[:, k, LOW], cells[:, k, HIGH]
            yield low, high

    def noise_gain(self) -> Sequence[float]:
        """What noise of energy 1 in each image adds to each factor's squared change."""
        return [2 * a.weight**2 / 2 ** len(self._pairs_beside(k)) for k, a in enumerate(self.arms)]

    def _pairs_beside(self, k: int) -> list[int]:
        if not self.arms[k].is_pair:
            return []
        return [i for i, a in enumerate(self.arms) if a.is_pair and i != k]
