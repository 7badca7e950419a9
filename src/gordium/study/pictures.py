"""Pictures of models as arrays, uint8 (h, w, c), and as files in the folder of a run."""

import io
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image

from gordium import geometry
from gordium.arrays import Integers
from gordium.datasets import Dataset
from gordium.evaluation.representation import encode
from gordium.files import write_bytes
from gordium.geometry import importance_order
from gordium.manipulation import Manipulation
from gordium.training import Run

Pictures = list[NDArray[Any]]


def some_indices(dataset: Dataset, n: int) -> Integers:
    """The indices of a few different images."""
    n = min(n, len(dataset))
    return np.random.default_rng(0).choice(len(dataset), size=n, replace=False)


def originals(dataset: Dataset, indices: Sequence[int] | Integers) -> Pictures:
    """Images of a data set, as figures take them."""
    return list(dataset.images(indices).transpose(0, 2, 3, 1))


@torch.no_grad()
def reconstructions(run: Run, dataset: Dataset, indices: Integers) -> Pictures:
    """What a run decodes from the posterior means of some images."""
    x = torch.from_numpy(dataset.images(indices)) / 255
    return as_pictures(run.model.decode(run.model.encode(x).mean).numpy())


@torch.no_grad()
def traversals(
    run: Run, dataset: Dataset, index: int, *, n: int = 9, reach: float = 2.0
) -> list[Pictures]:
    """One row for each latent unit, the most important first; the unit moves, the others stay.

    It moves `reach` standard deviations to both sides: of the prior, or of its codes if the method
    has no prior.
    """
    found = encode(run.model, dataset, n=1000)
    centre, spread = np.zeros(found.codes.shape[1]), np.ones(found.codes.shape[1])
    if not run.spec.method.stochastic:
        centre, spread = found.codes.mean(axis=0), found.codes.std(axis=0)
    start = run.model.encode(torch.from_numpy(dataset.images([index])) / 255).mean[0]
    rows = []
    for unit in importance_order(found.require_log_variances()).tolist():
        values = centre[unit] + spread[unit] * np.linspace(-reach, reach, n)
        [row] = geometry.traversals(run.model.decode, start, values, units=[unit])
        rows.append(as_pictures(row))
    return rows


def as_pictures(images: NDArray[Any]) -> Pictures:
    """Decoded images (n, c, h, w) from 0 to 1, as figures take them."""
    return list(np.rint(255 * images.clip(0, 1)).astype(np.uint8).transpose(0, 2, 3, 1))


def _reconstruction_rows(run: Run, dataset: Dataset) -> list[Pictures]:
    """Ten images, and below them what the run reconstructs."""
    indices = some_indices(dataset, 10)
    return [originals(dataset, indices), reconstructions(run, dataset, indices)]


DRAWINGS: dict[str, Callable[[Run, Dataset], list[Pictures]]] = {
    "reconstructions": _reconstruction_rows,
    "traversals": lambda run, data: traversals(run, data, int(some_indices(data, 1)[0])),
}


def changes(manipulation: Manipulation, dataset: Dataset, indices: Integers) -> Pictures:
    """The changes m(w) of some images in units of epsilon: floats (h, w, c)."""
    found = manipulation.changes(dataset.factors_at(indices)) / manipulation.epsilon
    return list(found.transpose(0, 2, 3, 1))


def draw(run: Run, dataset: Dataset, names: Sequence[str]) -> None:
    """Write NAME.png into the run's folder if it is missing; runs on vectors have no pictures."""
    if run.folder is None or dataset.itemsize != 1:
        return
    for name in names:
        path = run.folder / f"{name}.png"
        if not path.exists():
            write_bytes(path, _png(DRAWINGS[name](run, dataset)))


def _png(rows: list[Pictures]) -> bytes:
    """Pictures side by side, in rows, with white lines between them."""
    edges = ((0, 2), (0, 2), (0, 0))
    framed = [[np.pad(p, edges, constant_values=255) for p in row] for row in rows]
    sheet = np.concatenate([np.concatenate(row, axis=1) for row in framed])
    buffer = io.BytesIO()
    Image.fromarray(np.broadcast_to(sheet, (*sheet.shape[:2], 3)).copy()).save(buffer, "PNG")
    return buffer.getvalue()
