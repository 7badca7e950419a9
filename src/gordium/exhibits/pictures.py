"""Pictures of models and changes, as arrays for figures: uint8 (h, w, c), or floats."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gordium import geometry
from gordium.datasets import Dataset
from gordium.geometry import importance_order
from gordium.manipulation import Manipulation
from gordium.representation import encode
from gordium.training import Run

Pictures = list[NDArray[Any]]


def some_indices(dataset: Dataset, n: int, *, seed: int = 0) -> NDArray[np.int64]:
    """A few different images to look at."""
    n = min(n, len(dataset))
    return np.random.default_rng(seed).choice(len(dataset), size=n, replace=False)


def originals(dataset: Dataset, indices: Sequence[int] | NDArray[np.int64]) -> Pictures:
    return list(dataset.images(indices).transpose(0, 2, 3, 1))


def changes(manipulation: Manipulation, dataset: Dataset, indices: NDArray[np.int64]) -> Pictures:
    """m(w) of some images, in units of epsilon."""
    found = manipulation.changes(dataset.factors_at(indices)) / manipulation.epsilon
    return list(found.transpose(0, 2, 3, 1))


@torch.no_grad()
def reconstructions(run: Run, dataset: Dataset, indices: NDArray[np.int64]) -> Pictures:
    """Decoded posterior means."""
    x = torch.from_numpy(dataset.images(indices)) / 255
    return _pictures(run.model.decode(run.model.encode(x).mean))


@torch.no_grad()
def traversals(
    run: Run, dataset: Dataset, index: int, *, n: int = 9, reach: float = 2.0
) -> list[Pictures]:
    """One row for each latent unit, the most important first: it moves, the others stay."""
    order = importance_order(encode(run.model, dataset, n=1000).log_variances)
    x = torch.from_numpy(dataset.images([index])) / 255
    start, values = run.model.encode(x).mean[0], np.linspace(-reach, reach, n)
    rows = geometry.traversals(run.model.decode, start, values, units=order.tolist())
    return [_pictures(torch.from_numpy(row)) for row in rows]


def _pictures(images: Tensor) -> Pictures:
    return list(np.rint(255 * images.clamp(0, 1).permute(0, 2, 3, 1).numpy()).astype(np.uint8))
