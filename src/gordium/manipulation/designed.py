"""Changes that are designed: the images' local axes are turned, and no model is asked.

Ours. The units of a VAE follow the axes of the images' local variance, because its noise is
diagonal in its units (Rolinek et al. 2019, Theorem 2; Zietlow et al. 2021, Theorem 1). With J the
derivative of the images by the factors and M the mean of J^T J over all images, a linear VAE of
little noise whose units are the factors loses (sum_k log M_kk - log det M) / 2 to one whose units
lie along the axes of M (`gordium.theory.linear_gaussian.hadamard_gap`). A designed change makes
this as large as its bound allows.

Where there are more factors than a change of its bound can turn, those are named that it is to turn
(`along`): it depends on them alone, and J is taken by them, around some drawn values of the others.

A code does not resolve waves that are finer than its noise, so J is the slope of a local linear
fit, with Gaussian weights of a `smoothing` given in standard deviations of the factors. A circle of
hues is taken as an interval that ends where its values do.
"""

from collections.abc import Callable, Sequence
from math import prod
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gordium.arrays import Integers
from gordium.datasets import Dataset
from gordium.factors import Factor, deviation
from gordium.manipulation.settled import MOST_IMAGES

_STILL = 1e-9  # the share of the largest variance up to which a factor moves nothing
_NEIGHBOUR = 0.05  # the least weight of the next value, where a factor has few


class Filter(NamedTuple):
    """Matrices that take numbers along one factor to a local line's value and its slope."""

    value: Tensor
    slope: Tensor


def thin_grid(
    dataset: Dataset,
    turned: Sequence[int] | None = None,
    *,
    seed: int = 0,
    most: int = MOST_IMAGES,
) -> tuple[list[Integers], Integers]:
    """The used values of each factor that is turned, and the images of all their combinations.

    Of more than `most` images, every other value of the longest factor is left out until there
    are few enough. Other factors take as many drawn values as leave room for, and the images of
    one draw follow each other.
    """
    if not dataset.is_grid:
        raise ValueError(
            "a change is designed on a grid, where every combination of the factors has an image; "
            f"{dataset.name} is not a grid. Learn one from runs instead."
        )
    sizes = [factor.size for factor in dataset.factors]
    turned = range(len(sizes)) if turned is None else turned
    values: list[Integers] = [np.arange(sizes[k]) for k in turned]
    while prod(map(len, values)) > most:
        longest = max(range(len(values)), key=lambda k: len(values[k]))
        values[longest] = values[longest][::2]
    grid = np.stack(np.meshgrid(*values, indexing="ij"), axis=-1).reshape(-1, len(values))
    draws = max(1, most // len(grid)) if len(values) < len(sizes) else 1
    drawn = np.random.default_rng(seed).integers(sizes, size=(draws, len(sizes)))
    rows = np.repeat(drawn, len(grid), axis=0)
    rows[:, list(turned)] = np.tile(grid, (draws, 1))
    return values, dataset.index_of(rows)


def check_moves(variance: Tensor, factors: Sequence[Factor]) -> None:
    """Refuse factors that move no pixel: every axis is as good for them, and M has no inverse."""
    own = variance.diagonal()
    least = _STILL * float(own.max())
    still = [f.name for f, each in zip(factors, own, strict=True) if each <= least]
    if still:
        raise ValueError(
            f"{', '.join(still)} moves no pixel of these images, so that no change can turn it: "
            f"hold it, e.g. dataset.hold({still[0]}=0)."
        )


def design_step(
    change: Callable[[], Tensor],
    filters: Sequence[Filter],
    optimiser: torch.optim.Optimizer,
    *,
    alone: bool = False,
) -> Callable[[int], dict[str, Tensor]]:
    """Return a step that trains `change`, which returns the changed images of whole grids.

    If it returns the change `alone`, added to no image, that is made to vary as much as it can. A
    change starts nearly constant, and the nearest one of a larger gap may be a shade that takes
    contrast from the images. One that varies strongly already turns their axes instead.
    """

    def step(_: int) -> dict[str, Tensor]:
        variance = mean_local_variance(change(), filters)
        gap = hadamard_gap(variance)
        loss = -variance.trace().log() if alone else -gap
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        return {"loss": loss, "gap": gap}

    return step


def mean_local_variance(images: Tensor, filters: Sequence[Filter]) -> Tensor:
    """M (k, k), the mean of J^T J over images, for smoothed slopes J; one grid follows another."""
    sizes = [len(each.value) for each in filters]
    grids = images.reshape(len(images) // prod(sizes), *sizes, -1)
    slopes = []
    for k in range(len(filters)):
        along = grids
        for axis, each in enumerate(filters):
            matrix = each.slope if axis == k else each.value
            along = torch.tensordot(matrix, along, dims=([1], [axis + 1])).movedim(0, axis + 1)
        slopes.append(along.flatten())
    stacked = torch.stack(slopes)
    return stacked @ stacked.T / len(images)


def hadamard_gap(variance: Tensor) -> Tensor:
    """(sum_k log M_kk - log det M) / 2, as `gordium.theory.linear_gaussian` has it of an array."""
    return 0.5 * (variance.diagonal().log().sum() - torch.logdet(variance))


def make_filter(
    values: Integers, size: int, smoothing: float, device: torch.device | None = None
) -> Filter:
    """Local linear fits at the `values` of a factor that has `size` of them.

    The slope is per standard deviation of the factor.
    """
    places = np.asarray(values, float) / deviation(size)
    fits = np.stack([_fit_line(places - place, k, smoothing) for k, place in enumerate(places)])
    value, slope = (torch.from_numpy(fits[:, part]).float().to(device) for part in (0, 1))
    return Filter(value, slope)


def _fit_line(distances: NDArray[np.float64], here: int, smoothing: float) -> NDArray[np.float64]:
    """The weights (2, n) by which n numbers make a line's value and slope at distance 0."""
    near = np.abs(np.arange(len(distances)) - here) <= 1
    weights = np.maximum(np.exp(-0.5 * (distances / smoothing) ** 2), np.where(near, _NEIGHBOUR, 0))
    line = np.stack([np.ones_like(distances), distances])
    return np.asarray(np.linalg.solve(line * weights @ line.T, line * weights))
