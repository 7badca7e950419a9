"""Training a method on a data set, and loading what was trained."""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from gordium.datasets import Dataset
from gordium.lookup import pick
from gordium.methods import AE, METHODS, Method
from gordium.networks import ARCHITECTURES, Autoencoder
from gordium.optimisers import OPTIMISERS
from gordium.training.folder import (
    Row,
    claim,
    is_finished,
    load_finished,
    read_config,
    read_history,
    save_finished,
)
from gordium.training.loop import Log, Recording, Report, run_steps
from gordium.training.machine import keep_freed_memory, pick_device
from gordium.training.named import from_named, to_named
from gordium.training.settings import Settings, declared_settings
from gordium.training.step import new_model, training_task

Measure = Callable[[Autoencoder], Mapping[str, float]]


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
    measure: Measure | None = None,
    log: Log | None = None,
    settings: Settings | None = None,
    **fields: Any,
) -> Run:
    """Train `method` on `dataset`, with `settings` or its fields: `steps=..., latent_dim=...`.

    With a `folder`, the run is saved there, goes on where it was stopped, and is loaded if it
    was finished: the same bits in each case. `report(done, total, note)` replaces the bar.
    `measure(model)` adds columns to each row of the history, `log(step, values)` hears of it;
    they are no part of the declaration.
    """
    declared = settings or _settings(fields)
    declaration = declare(method, dataset, declared)
    target = pick_device(device)
    place = None if folder is None else Path(folder)
    if place is not None:
        claim(place, declaration, device=str(target), threads=torch.get_num_threads())
        if is_finished(place):
            return load_run(place, method=method)
    keep_freed_memory()
    model, task = training_task(method, dataset, declared, target)
    if measure is not None:
        task = dataclasses.replace(task, measure=lambda: _measured(model, measure))
    task = dataclasses.replace(task, log=log)
    history = run_steps(task, folder=place, recording=recording, report=report)
    config = {"declaration": declaration} if place is None else read_config(place)
    if place is not None:
        save_finished(place, "model", model, history)
    return Run(model.eval(), history, config, place)


@torch.no_grad()
def _measured(model: Autoencoder, measure: Measure) -> Mapping[str, float]:
    was_training = model.training
    try:
        return measure(model.eval())
    finally:
        model.train(was_training)


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


def load_run(folder: str | Path, *, method: Method | None = None) -> Run:
    """A finished run: its model, history and config.

    A method of your own is not known by name: give it if its models are more than an encoder
    to diagonal Gaussians and a decoder.
    """
    place = Path(folder)
    config = read_config(place, "run")
    declaration = config["declaration"]
    known = method or _declared_method(declaration)
    settings = declared_settings(declaration)
    model = new_model(known, settings, declaration["image_shape"], torch.Generator())
    load_finished(place, "model", model)
    return Run(model.eval(), read_history(place), config, place)


def _declared_method(declaration: dict[str, Any]) -> Method:
    declared = declaration["method"]
    known = declared["name"] in METHODS
    return from_named("method", declared, METHODS) if known else AE()


def _settings(given: dict[str, Any]) -> Settings:
    known = {f.name: f for f in dataclasses.fields(Settings)}
    for name in given:
        pick("setting", name, known)
    if "latent_dim" not in given:
        raise ValueError("latent_dim must be given: the number of latent units.")
    return Settings(**given)
