"""What a worker does for a study: train and score a run, ask for room, learn a change, and more.

It works in the folder of its claim, or reads what is in place already, and returns what came out.
The runner puts that in place and records it, since only it knows whether the claim still holds.
"""

import shutil
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from gordium.datasets import in_memory
from gordium.evaluation.run_scores import (
    SCORES,
    RunScores,
    closing_numbers,
    evaluate_run,
    is_scored,
    read_scores,
)
from gordium.files import write_json
from gordium.manipulation import (
    Manipulation,
    find_room,
    load_declared_manipulation,
    manipulate,
)
from gordium.spec import RunSpec
from gordium.study.display import OVER_PRUNED
from gordium.study.engine import Finished, Job
from gordium.study.pictures import draw
from gordium.study.records import Record
from gordium.study.remote import open_store
from gordium.study.store import CHANGES, RUNS, Claim, Store
from gordium.study.tasks import ChangeTask, RoomTask, Task, Wanted
from gordium.track import Tracked
from gordium.training import Recording, Report, Run, SleepingUnits, load_run, train
from gordium.training.folder import is_finished

NO_ROOM = "no change can pay"
Shown = dict[str, float | None]  # numbers of a result, as people are shown them
_NEEDED = ("active_units", "over_pruned", "n_images", "declaration", "versions")


def job_of(label: str, task: Task, wanted: Wanted, store: Store) -> Job:
    """A task as a job for any worker that sees the store; its claim is added when it is taken."""
    return Job(label, _do, (store.place, task, wanted), task.key)


def _do(
    place: str, task: Task, wanted: Wanted, claim: Claim, *, report: Report | None = None
) -> Finished:
    """Do a task for a claim on it, if this worker can see the claim's store."""
    store = open_store(place)
    store.check_sight(claim)
    kind = CHANGES if isinstance(task, ChangeTask) else RUNS
    final, work = store.find_folder(kind, claim.key), store.work_folder(claim)
    folder = final if is_finished(final) else work
    shown: Shown = {}
    record: Record = {}
    if isinstance(task, RunSpec):
        shown, record = _run(store, task, wanted, _choose_folder(final, work, wanted), report)
    elif isinstance(task, ChangeTask):
        shown, record = _change(store, task, folder, report)
    elif isinstance(task, RoomTask):
        shown, record = _ask_room(store, task.change, work)
    else:
        task.make(folder, report=report)
    return Finished(kind, shown, {**record, **store.deliver(claim, kind)})


def _choose_folder(place: Path, work: Path, wanted: Wanted) -> Path:
    """Where to work: a finished run stays as it is, and is scored with new metrics in a copy."""
    if not is_finished(place):
        return work
    shutil.rmtree(work, ignore_errors=True)
    if is_scored(place, wanted.metrics):
        return place
    shutil.copytree(place, work)
    return work


def _run(
    store: Store, spec: RunSpec, wanted: Wanted, folder: Path, report: Report | None
) -> tuple[Shown, Record]:
    """Train, score, and draw what is asked for."""
    spec = replace(spec, dataset=spec.dataset.with_change_in(store.locate))
    shown = train_and_score(spec, str(folder), wanted, report=report)
    if wanted.draw:
        draw(load_run(folder), spec.dataset.load(load_declared_manipulation), wanted.draw)
    return shown, scores_document(folder)


def _change(
    store: Store, task: ChangeTask, folder: Path, report: Report | None
) -> tuple[Shown, Record]:
    found = learn_change(task, lambda key: str(store.run_folder(key)), str(folder), report=report)
    settled = settled_loss(found)
    learned = task.settings.smoothing is None
    shown: Shown = {"L_ent - L_dis": settled} if learned else {"gap": -settled}
    return shown, {"loss": found.history[-1]["loss"], "settled": settled}


def _ask_room(store: Store, change: ChangeTask, folder: Path) -> tuple[Shown, Record]:
    """Ask for the room of a change, and say so if there is none."""
    best, worst = _load_kinds(change, lambda key: str(store.run_folder(key)))
    dataset = in_memory(change.dataset.load(load_declared_manipulation))
    found = find_room(dataset, disentangled=best, entangled=worst, epsilon=change.epsilon)
    write_json(folder / "room.json", found._asdict())
    shown: Shown = {"L_ent - L_dis": found.gain, NO_ROOM: found.gain >= 0}
    return shown, {"room": found.gain, "tied": found.tied}


def _load_kinds(change: ChangeTask, runs: Callable[[str], str]) -> tuple[list[Run], list[Run]]:
    """The disentangled and the entangled runs; `runs` gives the folder of a run."""
    best, worst = (
        [load_run(runs(k)) for k in kind] for kind in (change.disentangled, change.entangled)
    )
    return best, worst


def settled_loss(change: Manipulation) -> float:
    """What is minimised, L_ent - L_dis or less the gap, averaged over the last fifth of steps."""
    history = change.history
    return fmean(row["loss"] for row in history[-max(1, len(history) // 5) :])


def train_and_score(
    spec: RunSpec, folder: str, wanted: Wanted | None = None, *, report: Report | None = None
) -> Shown:
    """Train and score a declared run, going on from whatever its folder holds."""
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
    """Learn a change in the folder `place`, or go on there; `runs` gives the folder of a run."""
    best, worst = _load_kinds(task, runs)
    return manipulate(
        in_memory(task.dataset.load(load_declared_manipulation)),
        disentangled=best,
        entangled=worst,
        epsilon=task.epsilon,
        folder=place,
        settings=task.settings,
        report=report,
    )


def scores_document(folder: Path) -> Record:
    """What a study records of a finished run: all that its rows need."""
    document = read_scores(folder)
    missing = [name for name in _NEEDED if name not in document]
    if missing:
        raise ValueError(f"{folder / SCORES} is damaged: it has no {missing[0]}. Delete it.")
    try:
        declared = document["declaration"]
        steps, method = declared["settings"]["steps"], declared["method"]
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


def headline(document: RunScores) -> Shown:
    """The few numbers of a scores file that a person wants to see at once."""
    pruning = {"active units": document["active_units"], OVER_PRUNED: document["over_pruned"]}
    return {**document["scores"], **pruning}
