"""A trained run beside the audit of its data set: its noise and its directions, measured."""

from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from gordium.datasets import Dataset
from gordium.geometry.alignment import mean_angles
from gordium.geometry.jacobian import jacobian
from gordium.geometry.places import slopes_at_points, steps_within
from gordium.geometry.posterior_radius import posterior_radius
from gordium.training import Run, load_run
from gordium.training.pixels import as_floats

POINTS = 100


@dataclass(frozen=True)
class RunBeside:
    """What a run adds to an audit.

    `radius` is how far the posterior noise reaches, in standard deviations of each factor, and
    `steps` the same in whole grid steps. Angles are in degrees between each direction and the
    nearest one of the other set, averaged over points.
    """

    radius: tuple[float, ...]
    steps: tuple[int, ...]
    decoder_to_components: float
    decoder_to_factors: float
    units_to_factors: float
    components_to_factors: float

    @property
    def numbers(self) -> dict[str, object]:
        """What the page and the JSON file hold; an infinite radius is None."""
        plain = asdict(self)
        plain["radius"] = [r if np.isfinite(r) else None for r in self.radius]
        return plain

    @property
    def sentence(self) -> str:
        """How the run's noise and directions compare with the data, in words."""
        reach = ", ".join(f"{r:.2f}" for r in self.radius)
        return (
            f"The run: its posterior noise reaches {reach} standard deviations of the factors, "
            f"looked at over {self.steps} grid steps. Its decoder's principal directions lie "
            f"{self.decoder_to_components:.0f}° from the data's and {self.decoder_to_factors:.0f}° "
            f"from the factors'; the changes made by its units, {self.units_to_factors:.0f}° from "
            f"the factors'. The data's lie {self.components_to_factors:.0f}° from the factors'."
        )


def measure_run(dataset: Dataset, folder: Path, *, seed: int, device: str) -> RunBeside:
    """Measure the noise and the directions of the run in `folder` at some points of the grid."""
    run = load_run(folder, device=device)
    place = next(run.model.parameters()).device
    _check(dataset, run, folder)

    @torch.no_grad()
    def posterior(images: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        found = run.model.encode(as_floats(images, place))
        return found.mean.cpu().numpy(), torch.exp(found.log_variance / 2).cpu().numpy()

    radius = posterior_radius(posterior, dataset, seed=seed)
    images, factors = slopes_at_points(dataset, POINTS, np.random.default_rng(seed))
    codes = torch.from_numpy(posterior(images)[0]).to(place)
    units = jacobian(run.model.decode, codes).flatten(1, -2).cpu().numpy()
    steps = steps_within(dataset, radius.tolist())
    angles = [field.name for field in fields(RunBeside) if "_to_" in field.name]
    return RunBeside(tuple(radius.tolist()), steps, **mean_angles(angles, units, factors))


def _check(dataset: Dataset, run: Run, folder: Path) -> None:
    if not dataset.is_grid:
        raise ValueError(
            f"{dataset.name} is not a grid, so the noise of a run cannot set the size of steps on "
            "it. Audit it without a run: then each image is compared with its nearest ones."
        )
    trained_on = tuple(run.config["declaration"]["image_shape"])
    if trained_on != dataset.image_shape:
        raise ValueError(
            f"{folder} was trained on images of shape {trained_on}; these are "
            f"{dataset.image_shape}. Give the same --size."
        )
