"""The runs of an exhibit that no study declares: trained by `run_study`, and kept by key."""

from collections.abc import Sequence
from pathlib import Path

from gordium.evaluation.run_scores import is_scored
from gordium.exhibits.base import Place
from gordium.spec import RunSpec
from gordium.study.runner import Ended, Engine, run_study
from gordium.study.store import Store
from gordium.study.study import TaskList
from gordium.study.tasks import Task, Wanted
from gordium.training.folder import is_finished

NAME = "exhibits"  # of the study of such runs, and of its folder
FIRST_REPORTED = 100
ENGINE: Engine | None = None  # of all exhibits: worker processes


def pick_seeds(n: int) -> range:
    """Seeds that no setting was chosen on; those below 100 were used to choose settings."""
    return range(FIRST_REPORTED, FIRST_REPORTED + n)


def train_all(
    place: Place, runs: Sequence[RunSpec], *, title: str, metrics: tuple[str, ...] = ("mig",)
) -> list[Path]:
    """Train and score the runs that are not finished; return the folders of all, in their order.

    `title` is what the progress display calls the runs.
    """
    return make_all(place, runs, title=title, wanted=Wanted(metrics=metrics))


def find_or_train(place: Place, store: Store, runs: Sequence[RunSpec], *, title: str) -> list[Path]:
    """The folders of runs, in a study's store if it holds them; what it lacks is trained apart."""
    held = {run.key: store.run_folder(run.key) for run in runs}
    missing = [run for run in runs if not is_scored(held[run.key])]
    trained = train_all(place, missing, title=title) if missing else []
    held |= {run.key: folder for run, folder in zip(missing, trained, strict=True)}
    return [held[run.key] for run in runs]


def make_all(
    place: Place, tasks: Sequence[Task], *, title: str, wanted: Wanted | None = None
) -> list[Path]:
    """Do the tasks that are not finished (runs or other pieces); return all folders."""
    wanted = wanted or Wanted()
    store = store_in(place)
    folders = [store.run_folder(task.key) for task in tasks]
    pairs = zip(tasks, folders, strict=True)
    missing = [task for task, folder in pairs if not _is_made(task, folder, wanted)]
    if place.finished and missing:
        raise ValueError(
            f"{len(missing)} of {len(tasks)} runs are not finished in {place.folder}; "
            "leave --finished out to train them."
        )
    if missing:
        study = TaskList(name=NAME, title=title, tasks=tuple(tasks), wanted=wanted)
        store.forget_failures()  # a task that failed before is tried again
        raise_unfinished(run_study(study, store, workers=place.workers, engine=ENGINE))
    return folders


def store_in(place: Place) -> Store:
    """The store of the runs that no study declares."""
    return Store(place.folder / NAME)


def _is_made(task: Task, folder: Path, wanted: Wanted) -> bool:
    if isinstance(task, RunSpec):
        return is_scored(folder, wanted.metrics)
    return is_finished(folder)


def raise_unfinished(ended: Ended) -> None:
    """Raise a RuntimeError if a run failed or could not start: an exhibit needs all its runs."""
    if ended.failed:
        first = next(iter(ended.failed.values()))
        raise RuntimeError(
            f"{len(ended.failed)} runs failed; the others are kept, and the same command goes on "
            f"from there. The first failure: {first['label']}: {first['error']}"
        )
    if ended.waiting:
        raise RuntimeError(f"{ended.waiting} runs wait for others that cannot be trained here.")
