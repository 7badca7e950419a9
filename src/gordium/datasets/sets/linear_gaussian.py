"""Samples of x = W z + noise, for which every answer is known in closed form."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from gordium.arrays import Floats
from gordium.checks import MOST_UNITS, check_drawing, check_least, check_most, check_positive
from gordium.datasets.table import Samples, Table

SCALES = (4.0, 2.0, 1.0)


@final
@dataclass(frozen=True)
class LinearGaussianSamples(Table):
    """Three standard normal factors, mixed linearly into `dim` numbers, with Gaussian noise.

    The columns of W are orthogonal with lengths 4, 2 and 1, so the factors are the principal
    components. `turn` (degrees) rotates the first two factors into one another: the vectors x
    keep their distribution, but the factors are no longer principal components. Likelihood,
    posterior and best ELBO are given by `gordium.theory.log_likelihood` and its neighbours.
    """

    name: ClassVar[str] = "linear-gaussian"
    factor_names: ClassVar[tuple[str, ...]] = ("first", "second", "third")

    n: int = 10_000
    dim: int = 6
    noise: float = 0.3
    turn: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        check_drawing(self.n, self.seed)
        check_least(len(SCALES), dim=self.dim)
        check_most(MOST_UNITS, dim=self.dim)
        check_positive(noise=self.noise)

    @property
    def weights(self) -> Floats:
        """W (dim, 3), the same for every seed."""
        frame = np.linalg.qr(np.random.default_rng(self.dim).normal(size=(self.dim, len(SCALES))))
        angle = np.deg2rad(self.turn)
        turn = np.eye(len(SCALES))
        turn[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        return np.asarray(frame[0] * SCALES @ turn)

    def draw(self) -> Samples:
        rng = np.random.default_rng(self.seed)
        factors = rng.normal(size=(self.n, len(SCALES)))
        points = factors @ self.weights.T + self.noise * rng.normal(size=(self.n, self.dim))
        return Samples(points.astype(np.float32), factors)
