"""The over-complete mixtures of Stühmer et al. 2020, Figure 1 and B.8."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from gordium.arrays import Floats
from gordium.checks import check_drawing, check_positive
from gordium.datasets.table import Samples, Table


@final
@dataclass(frozen=True)
class StudentTMixture(Table):
    """Three independent sparse sources along three directions in the plane, and Gaussian noise.

    Sources have a Student-t distribution with `df` degrees of freedom, 3.5 as published. The
    paper prints neither the directions (`angles` in degrees, unit lengths) nor the standard
    deviation `noise` nor the number of points: these are ours.
    """

    name: ClassVar[str] = "student-t-mixture"
    factor_names: ClassVar[tuple[str, ...]] = ("first", "second", "third")

    n: int = 500
    df: float = 3.5
    angles: tuple[float, ...] = (0.0, 60.0, 120.0)
    noise: float = 0.5
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "angles", tuple(self.angles))  # JSON has lists only
        check_drawing(self.n, self.seed)
        check_positive(df=self.df, noise=self.noise)
        if len(self.angles) != 3:
            raise ValueError(f"angles must be three numbers, one a source; got {self.angles}.")

    @property
    def weights(self) -> Floats:
        """The mixing matrix (2, 3): a unit vector for each source."""
        radians = np.radians(self.angles)
        return np.stack([np.cos(radians), np.sin(radians)])

    def draw(self) -> Samples:
        rng = np.random.default_rng(self.seed)
        sources = rng.standard_t(self.df, size=(self.n, 3))
        points = sources @ self.weights.T + self.noise * rng.standard_normal((self.n, 2))
        return Samples(points.astype(np.float32), sources)
