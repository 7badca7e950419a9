"""How far are the generating factors of a data set the local principal components of its images?

The data set is taken as a decoder of its standardised factors. Its Jacobian, from differences on
the grid, has a distance to orthogonality like any decoder's (Rolinek et al. 2019, Eq. 29).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from gordium.arrays import Floats
from gordium.datasets import Dataset, check_is_dataset
from gordium.factors import Factor, Integers
from gordium.geometry import alignment
from gordium.geometry.differences import as_decoder, factor_jacobians, split_into_blocks
from gordium.geometry.local_pca import neighbour_jacobians
from gordium.geometry.orthogonality import near_degenerate
from gordium.geometry.places import grid_stencil
from gordium.geometry.stencils import CENTRE, Stencil
from gordium.notebook import facts, table
from gordium.progress import progress

CLOSE = 0.1
MANY = 500  # images of which noise is measured
RESAMPLES = 1000


class Pair(NamedTuple):
    """The score of two factors on their own, and the reasons for it.

    `overlap` is the mean |cosine| between the changes of the image that the two make; `angle` the
    mean angle, 0 to 45 degrees, from these changes to the pair's principal directions; `ratio` the
    ratio of the standard deviations that the two induce, the first over the second; `tied` the
    share of points where the two principal deviations are within 10 per cent of each other, so
    that PCA hardly prefers any direction.
    """

    first: str
    second: str
    score: float
    overlap: float
    angle: float
    ratio: float
    tied: float


@dataclass(frozen=True)
class Audit:
    """The result of an audit: `score` with its 95 % bootstrap interval over points, and its parts.

    `deviations` are how much the image changes per standard deviation of each factor, root mean
    square over points. `steps` is None where there is no grid. `noise` is the energy of known
    noise that was subtracted. `gain` and `lost` are in nats: see `preference`.
    """

    factors: tuple[Factor, ...]
    steps: tuple[int, ...] | None
    score: float
    interval: tuple[float, float]
    distances: Floats
    chance: float
    deviations: Floats
    pairs: tuple[Pair, ...]
    gain: float
    lost: float
    noise: float
    n_places: int

    def __repr__(self) -> str:
        low, high = self.interval
        return f"Audit(score {self.score:.3f} [{low:.3f}, {high:.3f}], {self.n_places} points)"

    def _repr_html_(self) -> str:
        low, high = self.interval
        known = [("score", f"{self.score:.3f} (95 % from {low:.3f} to {high:.3f})")]
        lines = [(p.first, p.second, f"{p.score:.2f}", f"{p.angle:.0f}°") for p in self.pairs]
        pairs = table(("factor", "and factor", "score", "turn"), lines)
        return facts("Are the factors the local principal components?", known, pairs)

    @property
    def names(self) -> list[str]:
        """The names of the factors."""
        return [factor.name for factor in self.factors]


class Measured(NamedTuple):
    """The Gram matrices (n, k, k) of the Jacobians at n of `n_places` points."""

    grams: Floats
    n_places: int
    steps: tuple[int, ...] | None = None
    noise: float = 0.0


def audit(
    dataset: Dataset, *, n: int = 2000, steps: Sequence[int] | None = None, seed: int = 0
) -> Audit:
    """Measure how far factors are local principal components, at `n` random points or at all.

    `steps` is how far to look along each factor, in grid steps (default 1). Where there is no
    grid, since factors are real or combinations are absent, a point is compared with its nearest
    neighbours.
    """
    check_is_dataset(dataset)
    if n < 2:
        raise ValueError(f"n, the number of points, must be at least 2; got {n}.")
    if len(dataset.factors) < 2:
        raise ValueError(
            f"an audit compares factors; this data set has only {dataset.factors[0].name}. "
            "Hold fewer factors."
        )
    rng = np.random.default_rng(seed)
    if not dataset.is_grid:
        if steps is not None:
            raise ValueError(f"{dataset.name} has no grid, so there are no grid steps to look at.")
        measured = measure_neighbours(dataset, n, rng)
    else:
        measured = measure_grid(dataset, n, rng, steps=steps)
    return summarise(dataset.factors, measured, rng)


def measure_grid(
    dataset: Dataset, n: int, rng: np.random.Generator, *, steps: Sequence[int] | None = None
) -> Measured:
    """Measure differences on the grid; the mean effect of known noise is subtracted."""
    stencil = grid_stencil(dataset, steps)
    cells = stencil.draw(n, rng)
    noise = noise_energy(dataset, dataset.index_of(cells[:, :, CENTRE]))
    grams = _grams(dataset, stencil, cells) - noise * np.diag(stencil.noise_gain())
    used = tuple(steps) if steps is not None else (1,) * len(stencil.arms)
    return Measured(grams, len(stencil), used, noise)


def noise_energy(dataset: Dataset, indices: Integers) -> float:
    """The variance of an image's known noise, summed over pixels; 0 if none was added.

    `Noisy` adds known noise. Its variance, with the folding at black and white, is half the mean
    squared difference to the same data set with another seed.
    """
    other = dataset.with_fresh_noise()
    if other.declaration == dataset.declaration:
        return 0.0
    some = indices[:MANY]
    first, second = (d.images(some).reshape(len(some), -1) / 255 for d in (dataset, other))
    return float(np.square(first - second).sum(axis=1).mean() / 2)


def measure_neighbours(dataset: Dataset, n: int, rng: np.random.Generator) -> Measured:
    """Fit linear functions to the nearest neighbours of n samples."""
    total = len(dataset)
    at = rng.choice(total, size=min(n, total), replace=False)
    points, values = dataset[:]
    points = points / np.float32(255) if points.dtype == np.uint8 else points
    j = neighbour_jacobians(points.reshape(total, -1), values, at)
    return Measured(j.swapaxes(1, 2) @ j, total)


def summarise(factors: tuple[Factor, ...], measured: Measured, rng: np.random.Generator) -> Audit:
    """Compute all numbers of an audit from its Gram matrices."""
    grams, d = measured.grams, len(factors)
    distances = alignment.factor_distances(grams, rng)
    gain, lost = alignment.preference(grams, rng)
    variances = np.einsum("nii->ni", grams).mean(axis=0)
    names = [factor.name for factor in factors]
    return Audit(
        factors=factors,
        steps=measured.steps,
        score=alignment.alignment_score(distances, d),
        interval=_interval(distances, d, rng),
        distances=distances,
        chance=alignment.chance_distance(d),
        deviations=np.sqrt(np.maximum(variances, 0.0)),
        pairs=tuple(_pair(grams, names, i, j, rng) for i, j in combinations(range(d), 2)),
        gain=gain,
        lost=lost,
        noise=measured.noise,
        n_places=measured.n_places,
    )


def _grams(dataset: Dataset, stencil: Stencil, cells: Integers) -> Floats:
    rows, parts = as_decoder(dataset), []
    with progress("comparing neighbours", len(cells)) as advance:
        for block in split_into_blocks(cells, int(np.prod(dataset.image_shape))):
            j = factor_jacobians(rows, stencil, block)
            parts.append(j.swapaxes(1, 2) @ j)
            advance(len(block))
    return np.concatenate(parts).astype(np.float64)


def _interval(distances: Floats, d: int, rng: np.random.Generator) -> tuple[float, float]:
    """The central 95 % of the scores of resampled points."""
    draws = [rng.choice(distances, size=len(distances)) for _ in range(RESAMPLES)]
    low, high = np.quantile([alignment.alignment_score(draw, d) for draw in draws], (0.025, 0.975))
    return float(low), float(high)


def _pair(grams: Floats, names: list[str], i: int, j: int, rng: np.random.Generator) -> Pair:
    both = grams[:, [[i], [j]], [i, j]]
    a, b, mixed = np.maximum(both[:, 0, 0], 0), np.maximum(both[:, 1, 1], 0), both[:, 0, 1]
    size = np.sqrt(a * b)
    turn = 0.5 * np.arctan2(2 * np.abs(mixed), np.abs(a - b))
    return Pair(
        first=names[i],
        second=names[j],
        score=alignment.alignment_score(alignment.factor_distances(both, rng), 2),
        overlap=float(np.minimum(1, np.abs(mixed) / np.where(size > 0, size, np.inf)).mean()),
        angle=float(np.degrees(turn).mean()),
        ratio=float(np.sqrt(a.mean() / b.mean())) if b.mean() > 0 else float("inf"),
        tied=float(near_degenerate(both, tolerance=CLOSE).mean()),
    )
