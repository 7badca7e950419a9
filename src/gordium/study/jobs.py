"""What a worker does for a study: a run from start to record, or a change to learn."""

import socket
from typing import Any

from gordium.remote import open_store
from gordium.store import Record, Store
from gordium.study.local import Job
from gordium.study.pictures import draw
from gordium.study.plan import RUN, Node
from gordium.study.study import Study
from gordium.study.work import declared_dataset, learn_change, scores_document, train_and_score
from gordium.training import Report, load_run


def job_of(node: Node, study: Study, store: Store, track: str | None = None) -> Job:
    """The node as a job that any machine can do that sees the store."""
    arguments: tuple[Any, ...] = (store.place, node.key, node.declaration)
    if node.kind == RUN:
        options = {"metrics": study.metrics, "drawings": study.draw, "track": track}
        return Job(node.label, _run, (*arguments, options), node.key)
    return Job(node.label, _change, arguments, node.key)


def _run(
    place: str, key: str, declaration: Record, options: Record, *, report: Report | None = None
) -> dict[str, Any]:
    """Train, score, draw what is asked for, and only then record."""
    store = _opened(place)
    folder = store.run_folder(key)
    declared = _here(store, declaration)
    metrics, track = options["metrics"], options["track"]
    headline = train_and_score(declared, str(folder), metrics, report=report, track=track)
    if options["drawings"]:
        draw(load_run(folder), declared_dataset(declared["dataset"]), options["drawings"])
    store.record(key, scores_document(folder))
    return headline


def _change(
    place: str, key: str, arguments: Record, *, report: Report | None = None
) -> dict[str, Any]:
    store = _opened(place)
    runs = [[store.here(run) for run in kind] for kind in arguments["runs"]]
    folder = str(store.manipulation_folder(key))
    settings = arguments["settings"]
    found = learn_change(
        arguments["dataset"], runs, arguments["epsilon"], settings, folder, report=report
    )
    loss = found.history[-1]["loss"]
    store.record(key, {"loss": loss})
    return {"L_ent - L_dis": loss}


def _opened(place: str) -> Store:
    """The store as a worker sees it, which may be on another machine."""
    store = open_store(place)
    try:
        store.declaration()
    except FileNotFoundError as error:
        raise OSError(
            f"there is no study in {place} on {socket.gethostname()}: all machines must share it."
        ) from error
    return store


def _here(store: Store, declaration: Record) -> Record:
    """A run's declaration with the change of its data set where this machine has it."""
    data = declaration["dataset"]
    if "change" not in data:
        return declaration
    change = {**data["change"], "folder": store.here(data["change"]["folder"])}
    return {**declaration, "dataset": {**data, "change": change}}
