"""Training a method on a data set, and loading what was trained."""

import dataclasses
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from gordium.datasets import Dataset
from gordium.lookup import pick
from gordium.methods import METHODS, Context, Method, forward
from gordium.networks import (
    ARCHITECTURES,
    LIKELIHOODS,
    Architecture,
    Autoencoder,
    Convolutional,
    autoencoder,
)
from gordium.training.folder import (
    Row,
    claim,
    is_finished,
    load_finished,
    read_config,
    read_history,
    save_finished,
)
from gordium.training.loop import Recording, Report, Task, run_steps
from gordium.training.machine import keep_freed_memory, pick_device
from gordium.training.named import from_named, to_named
from gordium.training.optimisers import OPTIMISERS, Adam, OptimiserSettings
from gordium.training.streams import Batches, steps_per_epoch, streams


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a method is trained. Give `steps`, or `epochs` of passes through the whole data set."""

    latent_dim: int
    steps: int | None = None
    epochs: int | None = None
    seed: int = 0
    batch_size: int = 64
    architecture: Architecture = field(default_factory=Convolutional)
    likelihood: str = "bernoulli"
    optimiser: OptimiserSettings = field(default_factory=Adam)

    def __post_init__(self) -> None:
        if (self.steps is None) == (self.epochs is None):
            raise ValueError("give either steps or epochs.")
        for name in ("latent_dim", "steps", "epochs", "batch_size"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} must be at least 1; got {value}.")
        if self.seed < 0:
            raise ValueError(f"seed must not be negative; got {self.seed}.")
        pick("likelihood", self.likelihood, LIKELIHOODS)

    def n_steps(self, n_images: int) -> int:
        if self.steps is not None:
            return self.steps
        return (self.epochs or 0) * steps_per_epoch(n_images, self.batch_size)


@dataclass(frozen=True)
class Run:
    """One method, data set and seed, trained."""

    model: Autoencoder
    history: list[Row]
    config: dict[str, Any]
    folder: Path | None


def train(  # noqa: PLR0913 - what a run may be given, all by keyword
    method: Method,
    dataset: Dataset,
    *,
    folder: str | Path | None = None,
    device: str = "auto",
    recording: Recording | None = None,
    report: Report | None = None,
    settings: Settings | None = None,
    **fields: Any,
) -> Run:
    """Train `method` on `dataset`, with `settings` or its fields: `steps=..., latent_dim=...`.

    With a `folder`, the run is saved there, goes on where it was stopped, and is loaded if it
    was finished: the same bits in each case. `report(done, total, note)` replaces the bar.
    """
    declared = settings or _settings(fields)
    declaration = declare(method, dataset, declared)
    target = pick_device(device)
    place = None if folder is None else Path(folder)
    if place is not None:
        claim(place, declaration, device=str(target), threads=torch.get_num_threads())
        if is_finished(place):
            return load_run(place)
    keep_freed_memory()
    model, task = _task(method, dataset, declared, target)
    history = run_steps(task, folder=place, recording=recording, report=report)
    config = {"declaration": declaration} if place is None else read_config(place)
    if place is not None:
        save_finished(place, "model", model, history)
    return Run(model.eval(), history, config, place)


def declare(method: Method, dataset: Dataset, settings: Settings) -> dict[str, Any]:
    """All that a run's numbers follow from, as JSON: the run is named by its hash."""
    plain = {f.name: getattr(settings, f.name) for f in dataclasses.fields(settings)}
    plain["architecture"] = to_named(settings.architecture, ARCHITECTURES)
    plain["optimiser"] = to_named(settings.optimiser, OPTIMISERS)
    return {
        "kind": "run",
        "dataset": dataset.declaration,
        "image_shape": list(dataset.image_shape),
        "method": to_named(method, METHODS),
        "settings": plain,
    }


def load_run(folder: str | Path) -> Run:
    """A finished run: its model, history and config."""
    place = Path(folder)
    config = read_config(place, "run")
    declaration = config["declaration"]
    settings = declared_settings(declaration)
    model = _model(settings, declaration["image_shape"], torch.Generator())
    load_finished(place, "model", model)
    return Run(model.eval(), read_history(place), config, place)


def declared_settings(declaration: dict[str, Any]) -> Settings:
    """The settings of a run's declaration."""
    plain = dict(declaration["settings"])
    plain["architecture"] = from_named("architecture", plain["architecture"], ARCHITECTURES)
    plain["optimiser"] = from_named("optimiser", plain["optimiser"], OPTIMISERS)
    return Settings(**plain)


def _settings(given: dict[str, Any]) -> Settings:
    known = {f.name: f for f in dataclasses.fields(Settings)}
    for name in given:
        pick("setting", name, known)
    if "latent_dim" not in given:
        raise ValueError("latent_dim must be given: the number of latent units.")
    return Settings(**given)


def _model(settings: Settings, image_shape: Any, generator: torch.Generator) -> Autoencoder:
    return autoencoder(
        settings.architecture,
        image_shape,
        settings.latent_dim,
        likelihood=settings.likelihood,
        generator=generator,
    )


def _task(
    method: Method, dataset: Dataset, settings: Settings, device: torch.device
) -> tuple[Autoencoder, Task]:
    chance = streams(settings.seed, device)
    model = _model(settings, dataset.image_shape, chance.weights)
    model = model.to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]
    optimiser = settings.optimiser.build(model.parameters())
    passes = settings.epochs is not None
    batches = Batches(chance.data, len(dataset), settings.batch_size, passes=passes)
    noise = chance.noise if method.stochastic else None

    def step(i: int) -> dict[str, Tensor]:
        x = to_floats(dataset.images(batches.at(i)), device)
        loss = method(forward(model, x, noise), Context(i))
        optimiser.zero_grad(set_to_none=True)
        loss.total.backward()
        optimiser.step()
        return {"loss": loss.total, **loss.terms}

    parts = {"model": model, "optimiser": optimiser, "noise": chance.noise}
    return model, Task("training", settings.n_steps(len(dataset)), step, parts)


def to_floats(images: Any, device: torch.device) -> Tensor:
    """uint8 images as floats in [0, 1] on the device: one conversion of the whole batch."""
    x = torch.from_numpy(images).to(device, non_blocking=True)
    return torch.div(x, 255).contiguous(memory_format=torch.channels_last)
