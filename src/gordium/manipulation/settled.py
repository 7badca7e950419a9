"""Learning a change against decoders that have settled: nothing but the change is trained.

Supplement B.1 of Zietlow et al. 2021 trains decoders beside the change and hopes that they keep
up with the images. Ours: for encoders that stay as they are, the best decoder's loss is the
quadratic form of `confusion`, so L_ent - L_dis is known for every change and its gradient exact.

Both kinds are weighted such that they tie on the original images (4.5: "both latent spaces were
suitable for reconstructing the images"). Without that, the cheapest change where L_ent > L_dis is
to shade all images alike: folding at black and white lowers the contrast of the images themselves,
which tells no two kinds of models apart.
"""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor

from gordium.datasets import Dataset
from gordium.evaluation.representation import choose_rows, encode
from gordium.manipulation.confusion import Floats, confusion
from gordium.manipulation.manipulator import Manipulator, reflect, standardise
from gordium.training import Run
from gordium.training.pixels import as_floats

MOST_IMAGES = 2000


def settled_confusion(run: Run, dataset: Dataset) -> Floats:
    """Q of a run over the data set's images, or over 2,000 of them where there are more."""
    found = encode(run.model, dataset, n=_n_images(dataset), seed=0)
    return confusion(found.codes, found.require_log_variances())


def settled_step(
    manipulator: Manipulator,
    optimiser: torch.optim.Optimizer,
    runs: tuple[Sequence[Run], Sequence[Run]],
    dataset: Dataset,
    epsilon: float,
) -> Callable[[int], dict[str, Tensor]]:
    """A step of the change on all images at once; `runs` are the disentangled, the entangled."""
    device = next(manipulator.parameters()).device
    indices = choose_rows(len(dataset), n=_n_images(dataset), seed=0)
    x = as_floats(dataset.images(indices), device)
    w = standardise(dataset.factors, dataset.factors_at(indices)).to(device)
    dis, ent = (_mean_confusion(kind, dataset).to(device) for kind in runs)
    ent = ent * (_least_error(dis, x) / _least_error(ent, x))

    def step(_: int) -> dict[str, Tensor]:
        changed = reflect(x + epsilon * manipulator(w))
        l_ent, l_dis = _least_error(ent, changed), _least_error(dis, changed)
        loss = l_ent - l_dis
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        return {"loss": loss, "entangled": l_ent, "disentangled": l_dis}

    return step


def _least_error(q: Tensor, images: Tensor) -> Tensor:
    """tr(x^T Q x), the best decoder's squared error per image."""
    x = images.flatten(1)
    return (x * (q @ x)).sum()


def _mean_confusion(runs: Sequence[Run], dataset: Dataset) -> Tensor:
    return torch.from_numpy(np.mean([settled_confusion(run, dataset) for run in runs], 0)).float()


def _n_images(dataset: Dataset) -> int:
    return min(len(dataset), MOST_IMAGES)
