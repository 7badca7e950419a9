"""Learning a change against decoders that have settled: nothing but the change is trained.

Supplement B.1 of Zietlow et al. 2021 trains decoders beside the change and hopes that they keep
up with the images. Ours: a decoder that has settled gives the mean of the changed images over all
that a latent sample may stand for, so L_rec (Eq. 5) of images x' is a quadratic form in them, sum
over pixels of x'^T Q x', with one matrix Q for each encoder that stays as it is, its `confusion`.
So L_ent - L_dis is known for every change and its gradient exact.

Both kinds are weighted such that they tie on the original images (4.5: "both latent spaces were
suitable for reconstructing the images"). Without that, the cheapest change where L_ent > L_dis is
to shade all images alike: folding at black and white lowers the contrast of the images themselves,
which tells no two kinds of models apart.
"""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from scipy.special import softmax
from torch import Tensor

from gordium.arrays import Integers
from gordium.datasets import Dataset, reflect
from gordium.evaluation.representation import encode
from gordium.manipulation.manipulator import Manipulator, standardise
from gordium.manipulation.turned import draw_rotation, turn
from gordium.training import Run
from gordium.training.pixels import as_floats

MOST_IMAGES = 2000
Floats = NDArray[np.float64]


def confuse_kinds(
    runs: tuple[Sequence[Run], Sequence[Run]], dataset: Dataset, *, turns: int = 0, seed: int = 0
) -> tuple[Floats, Floats]:
    """The mean Q of the disentangled and of the entangled runs.

    With `turns`, the kind that has no run is made of so many turned copies of each of the others.
    """
    rng = np.random.default_rng(seed)
    here = [[encode_images(run, dataset) for run in kind] for kind in runs]
    given = here[0] or here[1]
    copies = [turn(*each, draw_rotation(each[0].shape[1], rng)) for each in given * turns]
    dis, ent = (np.mean([confusion(*each) for each in kind or copies], 0) for kind in here)
    return dis, ent


def changing_images(
    manipulator: Manipulator, dataset: Dataset, indices: Integers, epsilon: float
) -> tuple[Tensor, Callable[[], Tensor]]:
    """The original images, and a function that returns them as they are changed."""
    device = next(manipulator.parameters()).device
    x = as_floats(dataset.images(indices), device)
    w = standardise(dataset.factors, dataset.factors_at(indices)).to(device)
    return x, lambda: reflect(x + epsilon * manipulator(w))


def settled_step(
    images: tuple[Tensor, Callable[[], Tensor]],
    confusions: tuple[Floats, Floats],
    optimiser: torch.optim.Optimizer,
) -> Callable[[int], dict[str, Tensor]]:
    """Return a step that trains the change on all images at once.

    `confusions` are those of the disentangled and of the entangled runs.
    """
    x, change = images
    dis, ent = tie_kinds(confusions, x)

    def step(_: int) -> dict[str, Tensor]:
        changed = change()
        l_ent, l_dis = _least_error(ent, changed), _least_error(dis, changed)
        loss = l_ent - l_dis
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        return {"loss": loss, "entangled": l_ent, "disentangled": l_dis}

    return step


def tie_kinds(confusions: tuple[Floats, Floats], x: Tensor) -> tuple[Tensor, Tensor]:
    """Q of the disentangled and of the entangled runs, weighted to tie on images x."""
    dis, ent = (torch.from_numpy(q).float().to(x.device) for q in confusions)
    return dis, ent * (_least_error(dis, x) / _least_error(ent, x))


def encode_images(run: Run, dataset: Dataset) -> tuple[Floats, Floats]:
    """Means and log-variances of the data set's images, at most 2,000 of them."""
    found = encode(run.model, dataset, n=MOST_IMAGES, seed=0)
    return found.codes, found.require_log_variances()


def _least_error(q: Tensor, images: Tensor) -> Tensor:
    """The squared error per image of the best decoder, tr(x^T Q x).

    Q is symmetric, so its slope 2 Q x needs no product beyond the one that the value needs.
    """
    x = images.flatten(1)
    with torch.no_grad():
        half = q @ x
        error = (x * half).sum()
    return 2 * (x * half).sum() - error


def confusion(
    codes: ArrayLike, log_variances: ArrayLike, *, samples: int = 100, seed: int = 0
) -> Floats:
    """Q (n, n) of an encoder over the n images: E_i E_z (e_i - p_z)(e_i - p_z)^T.

    z ~ q(z | x_i), e_i is the i-th unit vector, and p_z holds the probabilities of the images
    given z, all being equally likely before. For images x' in rows, tr(x'^T Q x') is the least
    squared error that any decoder can reach.
    """
    mean, log_variance = np.asarray(codes, float), np.asarray(log_variances, float)
    rng = np.random.default_rng(seed)
    n, d = mean.shape
    total = np.zeros((n, n))
    for i in range(n):
        z = mean[i] + np.exp(0.5 * log_variance[i]) * rng.standard_normal((samples, d))
        errors = -_probabilities(z, mean, log_variance)
        errors[:, i] += 1
        total += errors.T @ errors
    return total / (n * samples)


def _probabilities(z: Floats, mean: Floats, log_variance: Floats) -> Floats:
    """p(image | z) for each row of z."""
    squares = (z[:, None] - mean) ** 2 / np.exp(log_variance)
    log_density = -0.5 * (squares + log_variance).sum(axis=2)
    return softmax(log_density, axis=1)
