"""Whether any change can pay, asked of the encoders alone before one is learned.

Ours: Zietlow et al. 2021 (4.5) learn a change from any two kinds of runs. Where both kinds confuse
the same images, nothing lowers L_ent - L_dis but chance. So waves that nobody learned are tried
first, as L_rec (Eq. 5) of changed images is known without training (see `settled`).
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from gordium.datasets import Dataset, check_is_dataset, reflect
from gordium.evaluation.representation import choose_rows
from gordium.manipulation.learn import check_epsilon, check_repeats, check_runs
from gordium.manipulation.manipulator import standardise
from gordium.manipulation.settled import MOST_IMAGES, Floats, confusion, encode_images, tie_kinds
from gordium.training import Run
from gordium.training.pixels import as_floats

FREQUENCIES = (0.5, 1.0, 2.0, 3.0, 4.0, 8.0)  # radians per standard deviation of a direction
PHASES = (0.0, np.pi / 2)  # half a turn further, a wave is the same with its sign flipped
MOST_DIRECTIONS = 8
DRAWS = 4


class Room(NamedTuple):
    """The best wave found: its `gain` is L_ent - L_dis, which is 0 on the original images.

    Only below 0 can a change pay. Both losses are `tied` at that value on the original images. The
    wave runs along `direction`, in standard deviations of the factors, with a `frequency`.
    """

    gain: float
    tied: float
    direction: tuple[float, ...]
    frequency: float


class Wave(NamedTuple):
    """A function of the factors with values in [-1, 1], one for each image."""

    values: Tensor
    direction: tuple[float, ...]
    frequency: float


def find_room(
    dataset: Dataset, *, disentangled: Sequence[Run], entangled: Sequence[Run], epsilon: float
) -> Room:
    """The unlearned wave of size `epsilon` for which L_ent - L_dis (4.5) is lowest.

    Every value of an image follows the wave or its opposite, whichever is better, and is folded at
    black and white like any change. The wave is chosen with one draw of codes, and its gain is the
    least of those by other draws: a wave that only fits the noise of a draw gains nothing.
    """
    check_is_dataset(dataset)
    check_epsilon(epsilon)
    check_repeats(dataset)
    check_runs(disentangled, entangled, dataset)
    indices = choose_rows(len(dataset), n=MOST_IMAGES)  # as `encode_images` draws them
    x = as_floats(dataset.images(indices), torch.device("cpu")).flatten(1)
    kinds = [[encode_images(run, dataset) for run in kind] for kind in (disentangled, entangled)]
    compared = [_compare(kinds, x, draw) for draw in range(DRAWS)]
    first, *others = (difference for difference, _ in compared)
    waves = list_waves(standardise(dataset.factors, dataset.factors_at(indices)))
    best = min(waves, key=lambda wave: float(_differ(first, _add(wave, x, epsilon, first)).sum()))
    changed = _add(best, x, epsilon, first)
    gain = max(float(_differ(other, changed).sum()) for other in others)
    return Room(gain, compared[0][1], best.direction, best.frequency)


def list_waves(w: Tensor) -> Iterator[Wave]:
    """Waves along sums and differences of all factors (n, k) in equal parts, so none is left out.

    Of many directions, some are drawn.
    """
    k = w.shape[1]
    signs = [(1, *others) for others in product((1, -1), repeat=k - 1)]
    chance = np.random.default_rng(0)
    some = chance.permutation(len(signs))[:MOST_DIRECTIONS]
    for sign in (signs[i] for i in sorted(some)):
        direction = torch.tensor(sign, dtype=w.dtype) / k**0.5
        for frequency, phase in product(FREQUENCIES, PHASES):
            values = torch.tanh(3 * torch.cos(frequency * (w @ direction) + phase))
            yield Wave(values, tuple(direction.tolist()), frequency)


def _compare(
    kinds: Sequence[Sequence[tuple[Floats, Floats]]], x: Tensor, draw: int
) -> tuple[Tensor, float]:
    """Q_ent - Q_dis by one draw of codes, both kinds tied on images x, and their loss there.

    Codes that confuse nothing have no loss that could be tied: their difference is 0.
    """
    means = [np.mean([confusion(*each, seed=draw) for each in kind], 0) for kind in kinds]
    dis, ent = tie_kinds((means[0], means[1]), x)
    return (ent - dis).nan_to_num(), float(_differ(dis, x).sum())


def _add(wave: Wave, x: Tensor, epsilon: float, difference: Tensor) -> Tensor:
    """Images x that follow a wave, each value up or down, whichever makes x^T Q x lower."""
    steps = epsilon * wave.values[:, None]
    up, down = reflect(x + steps), reflect(x - steps)
    return torch.where(_differ(difference, up) <= _differ(difference, down), up, down)


def _differ(q: Tensor, x: Tensor) -> Tensor:
    """x^T Q x of each value's column x over the images."""
    return (x * (q @ x)).sum(dim=0)
