"""What a worker does for a study: a run from start to scores, a change to learn, another piece.

It works in the folder of its claim's generation, or looks at what is in place, and says what came
out; putting it in place and recording it is the runner's, which alone knows whether the claim
still holds.
"""

import shutil
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from gordium.evaluation.run_scores import is_scored
from gordium.manipulation import Manipulation, load_declared_manipulation
from gordium.spec import RunSpec
from gordium.study.local import Finished, Job
from gordium.study.pictures import draw
from gordium.study.remote import open_store
from gordium.study.store import CHANGES, RUNS, Claim, Store
from gordium.study.tasks import ChangeTask, Piece, Task, Wanted
from gordium.study.work import learn_change, scores_document, train_and_score
from gordium.training import Report, load_run
from gordium.training.folder import is_finished


def job_of(label: str, task: Task, wanted: Wanted, store: Store) -> Job:
    """The task as a job that any machine can do that sees the store; its claim is added later."""
    if isinstance(task, RunSpec):
        return Job(label, _run, (store.place, task, wanted), task.key)
    function = _change if isinstance(task, ChangeTask) else _piece
    return Job(label, function, (store.place, task), task.key)


def _run(
    place: str, spec: RunSpec, wanted: Wanted, claim: Claim, *, report: Report | None = None
) -> Finished:
    """Train, score, and draw what is asked for."""
    store = open_store(place)
    spec = replace(spec, dataset=spec.dataset.with_change_in(store.locate))
    folder = _folder(store.run_folder(claim.key), store.work_folder(claim), wanted.metrics)
    shown = train_and_score(spec, str(folder), wanted, report=report)
    if wanted.draw:
        draw(load_run(folder), spec.dataset.load(load_declared_manipulation), wanted.draw)
    record = {**scores_document(folder), **store.deliver(claim, RUNS)}
    return Finished(RUNS, shown, record)


def _folder(place: Path, work: Path, metrics: tuple[str, ...]) -> Path:
    """Where to work: a run in place stays as it is, and is scored again in a copy."""
    if not is_finished(place):
        return work
    shutil.rmtree(work, ignore_errors=True)
    if is_scored(place, metrics):
        return place
    shutil.copytree(place, work)
    return work


def _change(
    place: str, task: ChangeTask, claim: Claim, *, report: Report | None = None
) -> Finished:
    store = open_store(place)
    final = store.manipulation_folder(claim.key)
    folder = final if is_finished(final) else store.work_folder(claim)
    found = learn_change(task, lambda key: str(store.run_folder(key)), str(folder), report=report)
    record: dict[str, Any] = {"loss": found.history[-1]["loss"], "settled": settled_loss(found)}
    record |= store.deliver(claim, CHANGES)
    return Finished(CHANGES, {"L_ent - L_dis": record["settled"]}, record)


def _piece(place: str, piece: Piece, claim: Claim, *, report: Report | None = None) -> Finished:
    store = open_store(place)
    final = store.run_folder(claim.key)
    piece.make(final if is_finished(final) else store.work_folder(claim), report=report)
    return Finished(RUNS, {}, store.deliver(claim, RUNS))


def settled_loss(change: Manipulation) -> float:
    """L_ent - L_dis averaged over the last fifth of the steps."""
    history = change.history
    return fmean(row["loss"] for row in history[-max(1, len(history) // 5) :])
