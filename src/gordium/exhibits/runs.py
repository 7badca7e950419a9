"""Trained runs that an exhibit needs: declared, made once by worker processes, kept by hash."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gordium.datasets import Dataset
from gordium.exhibits.base import Place
from gordium.methods import Method
from gordium.study import Job, Outcome, execute, train_and_score
from gordium.study.work import is_scored
from gordium.training import Settings
from gordium.training.folder import declaration_hash
from gordium.training.runs import declare

Declaration = dict[str, Any]


def declarations(
    method: Method, dataset: Dataset, settings: Settings, seeds: Sequence[int]
) -> list[Declaration]:
    """One declaration for each seed, which replaces that of the settings."""
    return [declare(method, dataset, replace(settings, seed=seed)) for seed in seeds]


def run_folder(folder: Path, declaration: Declaration) -> Path:
    return folder / declaration_hash(declaration)


def trained(
    place: Place,
    runs: Sequence[Declaration],
    *,
    title: str,
    metrics: tuple[str, ...] = ("mig",),
) -> list[Path]:
    """The folders of finished runs, in the order given; what is there already is not redone."""
    folders = [run_folder(place.folder, run) for run in runs]
    jobs = [
        Job(label(run), train_and_score, (run, str(folder), metrics))
        for run, folder in zip(runs, folders, strict=True)
        if not is_scored(folder, metrics)
    ]
    if place.finished and jobs:
        raise ValueError(
            f"{len(jobs)} of {len(runs)} runs are not finished in {place.folder}; "
            "leave --finished out to train them."
        )
    raise_failures(execute(jobs, workers=place.workers, title=title))
    return folders


def label(run: Declaration) -> str:
    """What a person calls the run: method, variant and seed."""
    return f"{run['method']['name']}, {variant(run['dataset'])}, seed {run['settings']['seed']}"


def variant(dataset: dict[str, Any]) -> str:
    kind = dataset.get("variant")
    return kind if kind in ("noisy", "modified") else "original"


def raise_failures(outcomes: Sequence[Outcome]) -> None:
    failed = [outcome for outcome in outcomes if outcome.error is not None]
    if failed:
        raise RuntimeError(
            f"{len(failed)} of {len(outcomes)} jobs failed; the others are kept, and starting "
            f"again goes on from there. First: {failed[0].job.label}: {failed[0].error}"
        )
