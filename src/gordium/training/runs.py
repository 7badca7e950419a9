"""Training a method on a data set, and loading what was trained."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from gordium.datasets import Dataset, in_memory
from gordium.files import check_path
from gordium.methods import AE, Method
from gordium.networks import Autoencoder
from gordium.notebook import facts, shorten
from gordium.plugins import load_plugins
from gordium.spec import ForeignMethod, RunSpec, Settings
from gordium.training.accelerate import accelerate
from gordium.training.arguments import resolve_dataset, resolve_method, resolve_settings
from gordium.training.folder import (
    CONFIG,
    Config,
    Row,
    claim,
    is_finished,
    load_finished,
    read_config,
    read_history,
    save_finished,
)
from gordium.training.loop import Log, Recording, Report, Task, run_steps
from gordium.training.machine import batches_of, keep_freed_memory, machine_of, pick_device
from gordium.training.sleeping_units import watch_units
from gordium.training.step import new_model, training_steps

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Measure = Callable[[Autoencoder], Mapping[str, float]]


@dataclass(frozen=True)
class Run:
    """A trained model with its history, its config and the spec that it follows from."""

    model: Autoencoder
    history: list[Row]
    config: Config
    folder: Path | None
    spec: RunSpec

    def __repr__(self) -> str:
        place = "" if self.folder is None else f", {str(self.folder)!r}"
        data = self.spec.dataset.name
        return f"Run({self.spec.label} on {data}, {self.spec.settings.latent_dim} units{place})"

    def _repr_html_(self) -> str:
        last = self.history[-1] if self.history else {}
        settings = self.spec.settings
        length = f"{settings.steps} steps" if settings.steps else f"{settings.epochs} epochs"
        known = [
            ("method", self.spec.method),
            ("data set", self.spec.dataset.name),
            ("trained", f"{length}, {settings.latent_dim} units, seed {self.spec.seed}"),
            ("folder", self.folder or "in memory"),
            *((name.replace("_", " "), shorten(value)) for name, value in last.items()),
        ]
        return facts(self.spec.label, known)

    def plot_history(self) -> "Figure":
        """A matplotlib figure of every column of the history against the step."""
        from gordium.training.plots import plot_history

        return plot_history(self)

    def traversals(self, units: Sequence[int] | None = None) -> "Figure":
        """A matplotlib figure: each unit moves from -2 to 2, the others are 0."""
        from gordium.training.plots import plot_traversals

        return plot_traversals(self, units)


def train(  # noqa: PLR0913 - what a run may be given, all by keyword
    method: Method | str,
    dataset: Dataset | str,
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

    Both may be names; the method's own fields are then given here too: `train("beta-vae",
    "shapes3d", beta=8, steps=20_000)`.

    With a `folder`, the run is saved there, resumed if it was stopped, and loaded if it was
    finished: the same bits in each case. `report(done, total, note)` replaces the progress line.
    `measure(model)` returns further columns for each row of the history, and `log(step, values)`
    is called with it; neither is part of the run's key. Images are kept in memory as by
    `gordium.datasets.in_memory` if the steps read as many as there are. The warning
    `SleepingUnits` says when fewer units are active than the data set has factors.
    """
    place = None if folder is None else check_path("folder", folder)
    if measure is not None and not callable(measure):
        raise TypeError(f"measure must be a function of the model; got {measure!r}.")
    method, own = resolve_method(method, fields)
    dataset = resolve_dataset(dataset)
    declared = resolve_settings(own, dataset, settings)
    spec = RunSpec.of(method, dataset, declared)
    target = pick_device(device)
    if place is not None:
        claim(place, spec.to_json(), machine=machine_of(target))
        if is_finished(place):
            return load_run(place, method=method, device=str(target))
    keep_freed_memory()
    dataset = read_ahead(dataset, declared)
    steps = training_steps(method, dataset, declared, target)
    measured = None if measure is None else partial(_measure, steps.model, measure)
    watch = watch_units(method, steps.model, dataset, steps.n)
    hear = partial(_hear, [each for each in (log, watch) if each is not None])
    batches = batches_of(declared, len(dataset))
    task = Task("training", steps.n, steps.take, steps.parts, measured, hear, batches)
    with accelerate(steps.networks, declared, target):
        history = run_steps(task, folder=place, recording=recording, report=report)
    return finish(steps.model, history, spec, place)


def read_ahead(dataset: Dataset, settings: Settings) -> Dataset:
    """Read all images into memory if they fit and the steps read as many: the same bits, faster."""
    n = len(dataset)
    return in_memory(dataset) if settings.n_steps(n) * settings.batch_size >= n else dataset


def finish(model: Autoencoder, history: list[Row], spec: RunSpec, place: Path | None) -> Run:
    """Save a trained model in its folder, if it has one, and return the run."""
    config: Config = {"declaration": spec.to_json()} if place is None else read_config(place)
    if place is not None:
        save_finished(place, "model", model, history)
    # The layout that a loaded model has, so that codes have the same bits.
    model.to(memory_format=torch.contiguous_format)  # type: ignore[call-overload]
    return Run(model.eval(), history, config, place, spec)


def _hear(logs: Sequence[Log], step: int, values: Mapping[str, float]) -> None:
    for log in logs:
        log(step, values)


@torch.no_grad()
def _measure(model: Autoencoder, measure: Measure) -> Mapping[str, float]:
    was_training = model.training
    try:
        return measure(model.eval())
    finally:
        model.train(was_training)


def load_run(folder: str | Path, *, method: Method | None = None, device: str = "cpu") -> Run:
    """Load a finished run: its model on the device, history and config.

    Give a method of your own that is not registered, if its models are more than an encoder to
    diagonal Gaussians and a decoder.
    """
    if not isinstance(folder, str | PathLike):
        raise TypeError(f"give the folder of a run, e.g. 'runs/a'; got a {type(folder).__name__}.")
    load_plugins()
    place = Path(folder)
    config = read_config(place, "run")
    spec = read_spec(place)
    known = method or (AE() if isinstance(spec.method, ForeignMethod) else spec.method)
    try:
        model = new_model(known, spec.settings, spec.dataset.image_shape, torch.Generator())
    except (RuntimeError, TypeError, OverflowError) as error:
        said = str(error).partition("\n")[0]
        raise ValueError(f"{place / CONFIG}: its network cannot be made: {said}") from error
    load_finished(place, "model", model)
    return Run(model.to(pick_device(device)).eval(), read_history(place), config, place, spec)


def read_spec(folder: Path) -> RunSpec:
    """Read the spec of the run in a folder; an error names the file and the field."""
    try:
        return RunSpec.from_json(read_config(folder, "run")["declaration"])
    except ValueError as error:
        if str(error).startswith("declaration"):
            raise ValueError(f"{folder / CONFIG}: {error}") from error
        raise
