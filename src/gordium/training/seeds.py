"""Training several seeds in one process, for GPUs, where small networks wait for launches."""

import shutil
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from gordium.datasets import Dataset
from gordium.methods import Method
from gordium.spec import RunSpec
from gordium.training.accelerate import accelerate
from gordium.training.arguments import resolve_dataset, resolve_method, resolve_settings
from gordium.training.folder import Row, claim, is_finished
from gordium.training.graphs import RecordedSteps, recorder_for
from gordium.training.loop import Recording, Report, Task, run_steps
from gordium.training.machine import batches_of, keep_freed_memory, machine_of, pick_device
from gordium.training.runs import Run, finish, load_run, read_ahead
from gordium.training.step import Steps, training_steps

TOGETHER = "together"  # the folder of the checkpoint that unfinished runs share


def train_seeds(  # noqa: PLR0913 - as `train`, all by keyword
    method: Method | str,
    dataset: Dataset | str,
    *,
    seeds: Sequence[int],
    folder: str | Path | None = None,
    device: str = "auto",
    recording: Recording | None = None,
    report: Report | None = None,
    **fields: Any,
) -> list[Run]:
    """Train one run per seed as `train` does, side by side in one process, step by step.

    On CUDA the steps of all runs are one graph, which is launched at once. On the CPU each run
    ends in the same bits as by `train`, and takes as long: use a study's workers there. With a
    `folder` the runs are saved in its subfolders `seed-N`, and are resumed if they were stopped.
    """
    method, own = resolve_method(method, fields)
    dataset = resolve_dataset(dataset)
    if not isinstance(seeds, Iterable) or not seeds or len(set(seeds)) < len(seeds):
        raise ValueError(f"seeds must be different numbers, e.g. range(3); got {seeds!r}.")
    declared = resolve_settings(own, dataset)
    specs = [RunSpec.of(method, dataset, replace(declared, seed=seed)) for seed in seeds]
    target = pick_device(device)
    places = [None if folder is None else Path(folder) / f"seed-{seed}" for seed in seeds]
    for spec, place in zip(specs, places, strict=True):
        if place is not None:
            claim(place, spec.to_json(), machine=machine_of(target))
    if all(place is not None and is_finished(place) for place in places):
        return [load_run(p, method=method, device=str(target)) for p in places if p is not None]
    keep_freed_memory()
    dataset = read_ahead(dataset, declared)
    runs = [training_steps(method, dataset, spec.settings, target) for spec in specs]
    shared = None if folder is None else Path(folder) / TOGETHER
    with ExitStack() as stack:
        for run in runs:
            stack.enter_context(accelerate(run.networks, declared, target))
        task = replace(_join_steps(runs, target), batches=batches_of(declared, len(dataset)))
        own_places = [place for place in places if place is not None]
        history = run_steps(
            task, folder=shared, configs=own_places, recording=recording, report=report
        )
    found = [
        finish(run.model, _select_own(history, k), spec, place)
        for k, (run, spec, place) in enumerate(zip(runs, specs, places, strict=True))
    ]
    if shared is not None:
        shutil.rmtree(shared, ignore_errors=True)
    return found


def _join_steps(runs: Sequence[Steps], device: torch.device) -> Task:
    """One task whose step takes a step of each run."""
    parts = {f"{k}-{name}": part for k, run in enumerate(runs) for name, part in run.parts.items()}
    steps = RecordedSteps(runs, recorder_for(device, runs))
    return Task(f"training {len(runs)} seeds", runs[0].n, steps, parts)


def _select_own(history: Sequence[Row], k: int) -> list[Row]:
    """The columns of run k in the history of all runs."""
    own = f"{k}."
    return [
        {name.removeprefix(own): v for name, v in row.items() if name.startswith((own, "step"))}
        for row in history
    ]
