"""What a worker does for a study: a run from start to scores, or a change to learn.

It works in the folder of its claim's generation, or looks at what is in place, and says what came
out; putting it in place and recording it is the runner's, which alone knows whether the claim
still holds.
"""

import shutil
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from gordium.manipulation import Manipulation, declared_manipulation
from gordium.spec import RunSpec
from gordium.study.local import Finished, Job
from gordium.study.pictures import draw
from gordium.study.plan import RUN, Node
from gordium.study.remote import open_store
from gordium.study.store import CHANGES, RUNS, Claim, Record, Store
from gordium.study.study import RunList, Study
from gordium.study.work import (
    ChangeTask,
    is_scored,
    learn_change,
    scores_document,
    train_and_score,
)
from gordium.training import Report, load_run
from gordium.training.folder import is_finished


def job_of(node: Node, study: Study | RunList, store: Store, track: str | None = None) -> Job:
    """The node as a job that any machine can do that sees the store; its claim is added later."""
    if node.kind == RUN:
        options: Record = {
            "metrics": study.metrics,
            "images": study.images,
            "drawings": study.draw,
            "track": track,
        }
        return Job(node.label, _run, (store.place, node.task, options), node.key)
    return Job(node.label, _change, (store.place, node.task), node.key)


def _run(
    place: str, spec: RunSpec, options: Record, claim: Claim, *, report: Report | None = None
) -> Finished:
    """Train, score, and draw what is asked for."""
    store = open_store(place)
    spec = replace(spec, dataset=spec.dataset.with_change_in(store.here))
    folder = _folder(store.run_folder(claim.key), store.work_folder(claim), options["metrics"])
    shown = train_and_score(
        spec,
        str(folder),
        options["metrics"],
        n=options["images"],
        report=report,
        track=options["track"],
    )
    if options["drawings"]:
        draw(load_run(folder), spec.dataset.load(declared_manipulation), options["drawings"])
    store.deliver(claim, RUNS)
    return Finished(RUNS, shown, scores_document(folder))


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
    kinds = (task.disentangled, task.entangled)
    disentangled, entangled = (tuple(map(store.here, kind)) for kind in kinds)
    task = replace(task, disentangled=disentangled, entangled=entangled)
    final = store.manipulation_folder(claim.key)
    folder = final if is_finished(final) else store.work_folder(claim)
    found = learn_change(task, str(folder), report=report)
    store.deliver(claim, CHANGES)
    record: dict[str, Any] = {"loss": found.history[-1]["loss"], "settled": settled_loss(found)}
    return Finished(CHANGES, {"L_ent - L_dis": record["settled"]}, record)


def settled_loss(change: Manipulation) -> float:
    """L_ent - L_dis averaged over the last fifth of the steps."""
    history = change.history
    return fmean(row["loss"] for row in history[-max(1, len(history) // 5) :])
