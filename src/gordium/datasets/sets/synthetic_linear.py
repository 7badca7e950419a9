"""The linear synthetic set of Rolinek et al. 2019, supplement 8.5."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np
from scipy.spatial.transform import Rotation

from gordium.checks import check_drawing, check_positive
from gordium.datasets.table import Samples, Table

AXIS = np.array([1.0, -1.0, 1.0])
ANGLE = 45.0


@final
@dataclass(frozen=True)
class SyntheticLinear(Table):
    """A uniform sample of a unit square, stretched, laid into three dimensions and turned.

    The first side is stretched by `ratio` (Table S4 varies it, 1 is the degenerate case); the
    rotation is by 45 degrees around (1, -1, 1).
    """

    name: ClassVar[str] = "synthetic-linear"
    factor_names: ClassVar[tuple[str, ...]] = ("stretched", "unit")

    n: int = 50_000
    ratio: float = 2.0
    seed: int = 0

    def __post_init__(self) -> None:
        check_drawing(self.n, self.seed)
        check_positive(ratio=self.ratio)

    def draw(self) -> Samples:
        square = np.random.default_rng(self.seed).random((self.n, 2))
        turn = Rotation.from_rotvec(ANGLE * AXIS / np.linalg.norm(AXIS), degrees=True)
        flat = np.column_stack([self.ratio * square[:, 0], square[:, 1], np.zeros(self.n)])
        return Samples(turn.apply(flat).astype(np.float32), square)
