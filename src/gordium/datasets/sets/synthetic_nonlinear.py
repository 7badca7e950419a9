"""The non-linear synthetic set of Rolinek et al. 2019, supplement 8.5."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from gordium.arrays import Floats
from gordium.checks import check_drawing
from gordium.datasets.table import Samples, Table

HIDDEN, OUTPUTS = 10, 6


@final
@dataclass(frozen=True)
class SyntheticNonlinear(Table):
    """A uniform sample of a unit square, bent into six dimensions by a random network.

    The network has a hidden layer of ten tanh units and a linear layer, both with biases. The
    paper does not say how they are drawn: here all are uniform within 1 / sqrt(inputs of the
    layer). Network and points follow from `seed`; a smaller `n` gives the first of the points.
    """

    name: ClassVar[str] = "synthetic-nonlinear"
    factor_names: ClassVar[tuple[str, ...]] = ("first", "second")

    n: int = 50_000
    seed: int = 0

    def __post_init__(self) -> None:
        check_drawing(self.n, self.seed)

    def draw(self) -> Samples:
        network, points = (
            np.random.default_rng(s) for s in np.random.SeedSequence(self.seed).spawn(2)
        )
        square = points.random((self.n, 2))
        hidden = np.tanh(_affine(square, HIDDEN, network))
        return Samples(_affine(hidden, OUTPUTS, network).astype(np.float32), square)


def _affine(x: Floats, n_outputs: int, chance: np.random.Generator) -> Floats:
    reach = x.shape[1] ** -0.5
    weights = chance.uniform(-reach, reach, (x.shape[1], n_outputs))
    biases = chance.uniform(-reach, reach, n_outputs)
    return x @ weights + biases
