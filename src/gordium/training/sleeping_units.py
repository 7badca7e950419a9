"""Watching the latent units of a training: too high a strength makes them fall asleep."""

import warnings
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gordium.arrays import Integers
from gordium.datasets import Dataset
from gordium.geometry import active_units
from gordium.methods import Method
from gordium.networks import Autoencoder
from gordium.training.pixels import as_floats

LOOKS, IMAGES = 10, 64
SHORTEST = 100  # shorter trainings are not watched: at first no unit is awake


class SleepingUnits(UserWarning):
    """Fewer latent units than factors have a posterior that differs from the prior."""


class Watch:
    """Looks at the units ten times in a run, and warns once if too few are awake.

    It does not warn of units that fall asleep while enough others are awake: VAEs do that.
    """

    def __init__(self, method: Method, model: Autoencoder, dataset: Dataset, steps: int) -> None:
        self._method, self._model, self._dataset, self._steps = method, model, dataset, steps
        self._wanted = min(model.latent_dim, max(1, len(dataset.factors)))
        self._were: NDArray[np.bool_] = np.zeros(model.latent_dim, dtype=np.bool_)
        self._looks, self._warned = 0, False

    def __call__(self, step: int, *values: object) -> None:
        """Look at the units, if it is time to; called as a log, at each row of the history."""
        looks = LOOKS * step // self._steps
        if self._warned or looks == self._looks:
            return
        self._looks = looks
        awake = self._find_awake()
        asleep = np.flatnonzero(self._were & ~awake)
        if awake.sum() < self._wanted and (len(asleep) or step == self._steps):
            self._warned = True
            warnings.warn(self._describe(step, awake, asleep), SleepingUnits, stacklevel=2)
        self._were = self._were | awake

    @cached_property
    def _images(self) -> Tensor:
        n = len(self._dataset)
        images = self._dataset.images(np.linspace(0, n - 1, min(n, IMAGES)).astype(np.int64))
        return as_floats(images, next(self._model.parameters()).device)

    @torch.no_grad()
    def _find_awake(self) -> NDArray[np.bool_]:
        was_training = self._model.training
        try:
            posterior = self._model.eval().encode(self._images)
            return active_units(posterior.log_variance.cpu().numpy())
        finally:
            self._model.train(was_training)

    def _describe(self, step: int, awake: NDArray[np.bool_], asleep: Integers) -> str:
        names = f"unit{'s' * (len(asleep) > 1)} {', '.join(map(str, asleep))}"
        fell = f"{names} fell asleep by step {step}. " if len(asleep) else ""
        strength = self._method.primary
        now = f" (now {getattr(self._method, strength):g})" if strength else ""
        return (
            f"{fell}{awake.sum()} of {len(awake)} latent units are active after {step} steps, and "
            f"the data set has {len(self._dataset.factors)} factors: the other units carry no "
            f"information. A smaller {strength or 'strength'}{now} or longer training keeps more "
            f"awake; "
            f"gordium.strength.suggest_strengths(dataset, {self._wanted}) names a range."
        )


def watch_units(method: Method, model: Autoencoder, dataset: Dataset, steps: int) -> Watch | None:
    """Return the watch of a run; None if its units cannot fall asleep or it is short."""
    can_sleep = method.stochastic and "model" in method.optimisers
    return Watch(method, model, dataset, steps) if can_sleep and steps >= SHORTEST else None
