"""Trained runs that an exhibit needs: declared, made once through `run_study`, kept by key."""

from collections.abc import Sequence
from pathlib import Path

from gordium.datasets import Dataset
from gordium.exhibits.base import Place
from gordium.methods import Method
from gordium.spec import RunSpec
from gordium.study.local import Outcome
from gordium.study.local import execute as execute  # in one place for all exhibits
from gordium.study.runner import Ended, run_study
from gordium.study.store import Store
from gordium.study.study import RunList
from gordium.study.work import is_scored
from gordium.training import Settings
from gordium.training.folder import is_finished

NAME = "exhibits"  # the study of all runs that no other study declares, and its folder
FIRST_REPORTED = 100


def reported(n: int) -> range:
    """Seeds that no setting was ever chosen on: those below 100 were looked at while choosing."""
    return range(FIRST_REPORTED, FIRST_REPORTED + n)


def seeded(
    method: Method, dataset: Dataset, settings: Settings, seeds: Sequence[int]
) -> list[RunSpec]:
    """One run for each seed, which replaces that of the settings."""
    first = RunSpec.of(method, dataset, settings)
    return [first.with_seed(seed) for seed in seeds]


def trained(
    place: Place, runs: Sequence[RunSpec], *, title: str, metrics: tuple[str, ...] = ("mig",)
) -> list[Path]:
    """The folders of finished runs, in the order given; what is there already is not redone.

    `title` is what the runs are shown as while they are trained.
    """
    store = Store(place.folder / NAME)
    _move_in(place.folder, store, runs)
    folders = [store.run_folder(run.key) for run in runs]
    missing = [folder for folder in folders if not is_scored(folder, metrics)]
    if place.finished and missing:
        raise ValueError(
            f"{len(missing)} of {len(runs)} runs are not finished in {place.folder}; "
            "leave --finished out to train them."
        )
    if missing:
        study = RunList(name=NAME, title=title, specs=tuple(runs), metrics=metrics)
        raise_unfinished(run_study(study, store, workers=place.workers, engine=execute))
    return folders


def _move_in(folder: Path, store: Store, runs: Sequence[RunSpec]) -> None:
    """Runs that version 0.1 kept in the place's folder itself."""
    for run in runs:
        old, new = folder / run.key, store.run_folder(run.key)
        if is_finished(old) and not new.exists():
            new.parent.mkdir(parents=True, exist_ok=True)
            old.rename(new)


def raise_unfinished(ended: Ended) -> None:
    """An exhibit needs all of its runs."""
    if ended.failed:
        first = next(iter(ended.failed.values()))
        raise RuntimeError(
            f"{len(ended.failed)} runs failed; the others are kept, and starting again goes on "
            f"from there. First: {first['label']}: {first['error']}"
        )
    if ended.waiting:
        raise RuntimeError(f"{ended.waiting} runs wait for something that cannot be made here.")


def raise_failures(outcomes: Sequence[Outcome]) -> None:
    """Raise what went wrong in any of the jobs."""
    failed = [outcome for outcome in outcomes if outcome.error is not None]
    if failed:
        raise RuntimeError(
            f"{len(failed)} of {len(outcomes)} jobs failed; the others are kept, and starting "
            f"again goes on from there. First: {failed[0].job.label}: {failed[0].error}"
        )
