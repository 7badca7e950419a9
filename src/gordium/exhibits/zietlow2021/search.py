"""The search for both kinds of minima, and the change learned from it, in the study's store."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from gordium.evaluation.run_scores import SCORES, read_scores
from gordium.exhibits import runs
from gordium.exhibits.base import Place
from gordium.exhibits.studies import declare_study, open_store
from gordium.manipulation import Manipulation
from gordium.study.data import SEARCH, Data
from gordium.study.nodes import CHANGE, Node
from gordium.study.phases import find_change
from gordium.study.runner import run_study
from gordium.study.searching import search_nodes
from gordium.study.store import Store
from gordium.study.study import Study

STUDY = "zietlow2021"


class Searched(NamedTuple):
    """A data set of the study, and the folders of the runs of its search."""

    data: Data
    folders: list[Path]

    def sort_runs(self) -> list[Path]:
        """The runs that did not over-prune, sorted by MIG, the highest first."""
        scores = {folder: read_scores(folder) for folder in self.folders}
        kept = [folder for folder, found in scores.items() if not found["over_pruned"]]
        return sorted(kept, key=lambda folder: -(scores[folder]["scores"]["mig"] or 0.0))


def run_search(place: Place, name: str) -> Searched:
    """Train the runs of a data set's search that are missing; return the folders of all."""
    study = declare_study(STUDY, place.scale)
    store = open_store(place, study)
    folders = {node.key: store.run_folder(node.key) for node in search_nodes(name, study)}
    missing = {key for key, folder in folders.items() if not (folder / SCORES).exists()}
    _make(place, study, store, lambda node: node.key in missing, len(missing))
    return Searched(study.data[name], list(folders.values()))


def learn_changes(place: Place) -> dict[str, tuple[Data, Manipulation]]:
    """Load the change of each data set; one that is neither committed nor stored is learned now."""
    study = declare_study(STUDY, place.scale)
    store = open_store(place, study)
    names = [name for name, data in study.data.items() if data.search is not None]
    missing = [name for name in names if find_change(name, study, store) is None]

    def is_wanted(node: Node) -> bool:
        return node.labels["variant"] in (SEARCH, CHANGE) and node.labels["data"] in missing

    _make(place, study, store, is_wanted, len(missing))
    changes = {name: find_change(name, study, store) for name in names}
    return {
        name: (study.data[name], change) for name, change in changes.items() if change is not None
    }


def _make(
    place: Place, study: Study, store: Store, only: Callable[[Node], bool], n_missing: int
) -> None:
    """Do the study's nodes that `only` selects, if any is missing and the place allows it."""
    if place.finished and n_missing:
        raise ValueError(
            f"{n_missing} runs or changes are missing in {store.folder}; leave --finished out."
        )
    if n_missing:
        ended = run_study(study, store, workers=place.workers, engine=runs.ENGINE, only=only)
        runs.raise_unfinished(ended._replace(waiting=0))
