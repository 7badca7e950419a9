"""Choosing points of a data set's grid, and how far to look along each factor."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gordium.datasets import Dataset
from gordium.factors import Factor, deviation
from gordium.geometry.differences import as_decoder, factor_jacobians
from gordium.geometry.stencils import CENTRE, Stencil, arm, is_paired, longest_step

SAME = 0.1
LOOKS = 32


def grid_stencil(dataset: Dataset, steps: Sequence[int] | None = None) -> Stencil:
    """The stencil of a grid, with arms of one grid step or as many as are given."""
    check_grid(dataset)
    factors = dataset.factors
    steps = steps if steps is not None else (1,) * len(factors)
    if len(steps) != len(factors):
        raise ValueError(f"steps must be one for each of {len(factors)} factors; got {steps}.")
    periods = circle_lengths(dataset)
    arms = [arm(f, step=s, period=p) for f, s, p in zip(factors, steps, periods, strict=True)]
    return Stencil(tuple(arms))


def steps_within(dataset: Dataset, radius: Sequence[float]) -> tuple[int, ...]:
    """The whole numbers of grid steps nearest to a radius in standard deviations of each factor.

    They are at least one, and at most what a factor has room for.
    """
    check_grid(dataset)
    found = []
    for factor, period, r in zip(dataset.factors, circle_lengths(dataset), radius, strict=True):
        size = period or factor.size
        wanted = np.rint(min(r, size) * deviation(size))
        longest = 1 if is_paired(factor) else longest_step(factor, period)
        found.append(int(np.clip(wanted, 1, longest)))
    return tuple(found)


def slopes_at_points(
    dataset: Dataset, n: int, rng: np.random.Generator
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Draw `n` points: their images, and how pixels change with the factors there (n, p, k)."""
    stencil = grid_stencil(dataset)
    cells = stencil.draw(n, rng)
    images = dataset.images(dataset.index_of(cells[:, :, CENTRE]))
    return images, factor_jacobians(as_decoder(dataset), stencil, cells)


def check_grid(dataset: Dataset) -> None:
    """Refuse a data set with real factors, and factors that do not vary."""
    for factor in dataset.factors:
        if factor.kind == "continuous":
            raise ValueError(
                f"factor {factor.name} is a real number, so there is no grid with grid steps. An "
                "audit without a radius compares nearest neighbours instead."
            )
        if factor.size < 2:
            raise ValueError(f"factor {factor.name} takes a single value; hold it.")


def circle_lengths(dataset: Dataset) -> list[int | None]:
    """The number of different values of each circular factor; None for other factors.

    It is one less than the size if the last value shows the first one again, as orientation does
    in dSprites. Noise and learned changes are left out of the comparison.
    """
    clean = dataset.clean
    return [
        factor.size - int(_ends_where_it_began(clean, k)) if _is_circle(factor) else None
        for k, factor in enumerate(clean.factors)
    ]


def _is_circle(factor: Factor) -> bool:
    return factor.kind == "circular" and not is_paired(factor)


def _ends_where_it_began(dataset: Dataset, k: int) -> bool:
    """Whether the last value's images are far nearer to the first one's than the second's are."""
    rng = np.random.default_rng(0)
    values = np.stack([rng.integers(f.size, size=LOOKS) for f in dataset.factors], axis=1)
    images = []
    for value in (0, 1, dataset.factors[k].size - 1):
        values[:, k] = value
        images.append(as_decoder(dataset)(values))
    first, second, last = images
    return bool(np.square(last - first).sum() < SAME * np.square(second - first).sum())
