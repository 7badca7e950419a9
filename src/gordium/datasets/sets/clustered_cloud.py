"""Clusters whose principal axes differ from the whole cloud's (Zietlow et al. 2021, Figure 1)."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from gordium.arrays import Floats
from gordium.checks import check_drawing, check_least, check_most, check_positive
from gordium.datasets.table import Samples, Table


@final
@dataclass(frozen=True)
class ClusteredCloud(Table):
    """Points of the plane in uniform rectangles, whose centres form a sheared lattice.

    Within a rectangle of `length` x `width` the principal axes are the coordinate axes; those
    of the whole cloud are turned by the `shear`, 36 degrees with the defaults. The factors are
    the coordinates of the rectangle's centre and of the point within the rectangle. The paper
    prints no numbers for its cloud; these are ours.
    """

    name: ClassVar[str] = "clustered-cloud"
    factor_names: ClassVar[tuple[str, ...]] = ("centre_x", "centre_y", "along", "across")

    n: int = 10_000
    side: int = 3
    shear: float = 0.5
    length: float = 0.8
    width: float = 0.2
    seed: int = 0

    def __post_init__(self) -> None:
        check_drawing(self.n, self.seed)
        check_least(1, side=self.side)
        check_most(1000, side=self.side)
        check_positive(length=self.length, width=self.width)

    @property
    def centres(self) -> Floats:
        """The lattice points (side^2, 2): rows of rectangles, each row shifted by the shear."""
        steps = np.arange(self.side) - (self.side - 1) / 2
        x, y = np.meshgrid(steps, steps)
        return np.column_stack([(x + self.shear * y).ravel(), y.ravel()])

    def draw(self) -> Samples:
        rng = np.random.default_rng(self.seed)
        centres = self.centres[rng.integers(self.side**2, size=self.n)]
        offsets = (rng.random((self.n, 2)) - 0.5) * (self.length, self.width)
        points = (centres + offsets).astype(np.float32)
        return Samples(points, np.column_stack([centres, offsets]))
