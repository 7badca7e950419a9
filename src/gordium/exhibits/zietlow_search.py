"""Both kinds of minima and the change learned from them, in the folder of the study."""

from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

from gordium.exhibits.base import Place
from gordium.exhibits.runs import Declaration, raise_failures, trained
from gordium.exhibits.studies import declared_study, store_of, take_committed_changes
from gordium.files import read_json
from gordium.manipulation import Manipulation, load_manipulation
from gordium.store import Store
from gordium.study import Job, execute
from gordium.study.given import given_change
from gordium.study.plan import CHANGE, make_plan
from gordium.study.study import Data, Study
from gordium.study.work import SCORES, learn_change
from gordium.training import Report
from gordium.training.folder import declaration_hash, is_finished

STUDY = "zietlow2021"


class Searched(NamedTuple):
    """A data set of the study, and the folders of the runs that a change is learned from."""

    data: Data
    folders: list[Path]

    def ordered(self) -> list[Path]:
        """Runs that did not over-prune, those of the highest MIG first."""
        scores = {folder: read_json(folder / SCORES) for folder in self.folders}
        kept = [folder for folder, found in scores.items() if not found["over_pruned"]]
        return sorted(kept, key=lambda folder: -scores[folder]["scores"]["mig"])


def searched(place: Place, leave_out: Collection[str] = ()) -> dict[str, Searched]:
    """The runs of each data set's search, trained where the study's folder has them not."""
    study, store = _opened(place)
    there = Place(place.scale, store.folder / "runs", place.workers, (), place.finished)
    return {
        name: Searched(data, trained(there, _runs(data), title=f"searching on {name}"))
        for name, data in study.data.items()
        if data.search is not None and name not in leave_out
    }


def learned(place: Place) -> dict[str, tuple[Data, Manipulation]]:
    """The change of each data set: committed, in the study's folder, or learned now."""
    study, store = _opened(place)
    keys = {
        name: {declaration_hash(run) for run in _runs(data)} for name, data in study.data.items()
    }
    given = {name: given_change(data, keys[name], store) for name, data in study.data.items()}
    places = {name: folder for name, folder in given.items() if folder is not None}
    if set(places) < set(study.data):
        searched(place, leave_out=places)
    nodes = [node for node in make_plan(study, store).nodes if node.kind == CHANGE]
    places |= {node.labels["data"]: store.manipulation_folder(node.key) for node in nodes}
    jobs = [
        Job(node.label, _learn, (node.declaration, str(places[node.labels["data"]])))
        for node in nodes
        if not is_finished(places[node.labels["data"]])
    ]
    if place.finished and jobs:
        raise ValueError(
            f"{len(jobs)} changes are not learned in {store.folder}; leave --finished out."
        )
    raise_failures(execute(jobs, workers=place.workers, title="learning the change"))
    return {name: (study.data[name], load_manipulation(at)) for name, at in places.items()}


def _opened(place: Place) -> tuple[Study, Store]:
    study, declaration = declared_study(STUDY, place.scale)
    store = store_of(place, study.name)
    if not place.finished:
        store.declare(declaration)
        take_committed_changes(store, study.name)
    return study, store


def _runs(data: Data) -> list[Declaration]:
    search = data.search
    return [] if search is None else [search.arm.on(data.dataset, seed) for seed in search.seeds]


def _learn(arguments: dict[str, Any], folder: str, *, report: Report | None = None) -> None:
    runs, settings = arguments["runs"], arguments["settings"]
    learn_change(arguments["dataset"], runs, arguments["epsilon"], settings, folder, report=report)
