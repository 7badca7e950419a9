"""The steps of a study's work: train and score a run, learn a change; none is done twice."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gordium.datasets import in_memory
from gordium.evaluation.final_losses import closing_numbers
from gordium.evaluation.run_scores import SCORES, evaluate_run, is_scored, read_scores
from gordium.manipulation import Manipulation, load_declared_manipulation, manipulate
from gordium.spec import RunSpec
from gordium.study.display import OVER_PRUNED
from gordium.study.tasks import ChangeTask, Wanted
from gordium.track import Tracked
from gordium.training import Recording, Report, SleepingUnits, load_run, train

_NEEDED = ("active_units", "over_pruned", "n_images", "declaration", "versions")


def train_and_score(
    spec: RunSpec, folder: str, wanted: Wanted | None = None, *, report: Report | None = None
) -> dict[str, Any]:
    """One declared run from start to scores, going on from whatever its folder holds."""
    place, wanted = Path(folder), wanted or Wanted()
    if is_scored(place, wanted.metrics):
        return headline(read_scores(place))
    dataset = in_memory(spec.dataset.load(load_declared_manipulation))
    every = wanted.record_every
    config = {"hash": spec.key, "declaration": spec.to_json()}
    with Tracked(wanted.track, place, config) as tracked, warnings.catch_warnings():
        warnings.simplefilter("ignore", SleepingUnits)  # a study counts what is over-pruned
        train(
            spec.method,
            dataset,
            folder=place,
            report=report,
            log=tracked.log,
            settings=spec.settings,
            recording=None if every is None else Recording(record_every=every),
        )
        run = load_run(place, device="auto")
        found = headline(evaluate_run(run, dataset, metrics=wanted.metrics, n=wanted.images))
        tracked.end(found)
    return found


def learn_change(
    task: ChangeTask, runs: Callable[[str], str], place: str, *, report: Report | None = None
) -> Manipulation:
    """Learn the change in the folder `place`, or go on there; `runs` gives a run's folder."""
    return manipulate(
        in_memory(task.dataset.load(load_declared_manipulation)),
        disentangled=[load_run(runs(key)) for key in task.disentangled],
        entangled=[load_run(runs(key)) for key in task.entangled],
        epsilon=task.epsilon,
        folder=place,
        settings=task.settings,
        report=report,
    )


def scores_document(folder: Path) -> dict[str, Any]:
    """What a study keeps of a finished run: enough for its rows without the run's folder."""
    document = read_scores(folder)
    missing = [name for name in _NEEDED if name not in document]
    if missing:
        raise ValueError(f"{folder / SCORES} is damaged: it has no {missing[0]}. Delete it.")
    try:
        steps, method = (
            document["declaration"]["settings"]["steps"],
            document["declaration"]["method"],
        )
    except (KeyError, TypeError) as error:
        raise ValueError(
            f"{folder / SCORES} is damaged: its declaration has no settings.steps or no method. "
            "Delete it."
        ) from error
    return {
        "scores": document["scores"],
        "active_units": document["active_units"],
        "over_pruned": document["over_pruned"],
        "n_images": document["n_images"],
        "steps": steps,
        "hyperparameters": method,
        "versions": document["versions"],
        "closing": closing_numbers(folder, stochastic=document["active_units"] is not None),
    }


def headline(document: dict[str, Any]) -> dict[str, Any]:
    """The few numbers of a scores file that a person wants to see at once."""
    pruning = {"active units": document["active_units"], OVER_PRUNED: document["over_pruned"]}
    return {**document["scores"], **pruning}
