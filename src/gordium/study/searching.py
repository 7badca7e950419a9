"""The search of a data set: which runs are trained, and which of them a change is learned from."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gordium.evaluation.run_scores import load_representation
from gordium.history import Row, read_history
from gordium.manipulation import Candidate, Chosen, choose, choose_beyond
from gordium.metrics import udr
from gordium.study.changes import plan_room
from gordium.study.data import SEARCH
from gordium.study.here import Here, Planned
from gordium.study.nodes import ROOM, Node, make_run_node, read_known
from gordium.study.records import Record
from gordium.study.search import MIG, UDR, Search
from gordium.study.store import Store
from gordium.study.study import Study


class GaveUp(RuntimeError):
    """Raised if a search has trained all its seeds and not found the runs that are needed."""

    def __init__(self, text: str, searched: Sequence[Node] = ()) -> None:
        super().__init__(text)
        self.searched = list(searched)


class _Searched(NamedTuple):
    node: Node
    history: Sequence[Row]


def find_searched(name: str, study: Study, store: Store) -> Chosen[Node]:
    """The runs that the change of a data set is learned from; an error if they are not known."""
    _, chosen = plan_search(Here(name, study, store, read_known(store)))
    if chosen is None:
        raise RuntimeError(f"the search of {name} is not finished in {store.folder}.")
    return chosen


def find_asked_room(name: str, study: Study, store: Store) -> Record | None:
    """What was recorded of the room of a data set's change; None if it was not asked for."""
    known = read_known(store)
    nodes, _ = plan_search(Here(name, study, store, known))
    rooms = [known.records.get(node.key) for node in nodes if node.kind == ROOM]
    return rooms[-1] if rooms else None


def search_nodes(name: str, study: Study) -> list[Node]:
    """The runs of a data set's search, with all seeds that it may take."""
    data = study.data[name]
    if data.search is None:
        return []
    specs = study.runs_of(name, data.search.arm, data.dataset, data.search.seeds)
    return [make_run_node(name, SEARCH, spec, kept=True) for spec in specs]


def plan_search(here: Here) -> Planned[Chosen[Node]]:
    """The rounds of a search up to the first that has found enough, or is not finished.

    Where no change can pay, it is not known which run is to blame, so all of them are left out, and
    the search goes on with those of later rounds.
    """
    search, nodes = here.search, search_nodes(here.name, here.study)
    size = search.per_round or len(nodes)
    rooms: list[Node] = []
    refused: list[float] = []
    begun = 0
    for n in range(size, len(nodes) + size, size):
        some = nodes[:n]
        if not here.known.has(some):
            return [*some, *rooms], None
        chosen = _choose_runs(here, some, begun)
        counts = {kind: len(getattr(chosen, kind)) for kind in search.needed}
        if all(counts[kind] >= needed for kind, needed in search.needed.items()):
            asked, room = plan_room(here, chosen)
            rooms += asked
            if room is None or room < 0:
                return [*some, *rooms], None if room is None else chosen
            refused.append(room)
            begun = n
    text = _say_refused(here, refused) if refused else _say_missing(search, counts)
    raise GaveUp(
        f"of {len(nodes)} runs on the original images, {text} There is nothing to learn a change "
        f"of {here.name} from.",
        [*nodes, *rooms],
    )


def _say_missing(search: Search, counts: Mapping[str, int]) -> str:
    found = " and ".join(f"{count} are {kind}" for kind, count in counts.items())
    needed = " and ".join(f"{count} {kind}" for kind, count in search.needed.items())
    return f"{found}, with a loss near the median; {needed} are needed."


def _say_refused(here: Here, rooms: Sequence[float]) -> str:
    times = "once" if len(rooms) == 1 else f"{len(rooms)} times"
    return (
        f"both kinds were found {times}, but no change can pay: no wave of size "
        f"{here.data.epsilon:g} makes L_ent - L_dis lower than it is on the originals (at best "
        f"{min(rooms):+.2g}). Search more seeds, or learn all the same with search.room = false."
    )


def _choose_runs(here: Here, searched: Sequence[Node], begun: int) -> Chosen[Node]:
    """The runs that a change is learned from: the disentangled ones, and the entangled ones.

    All are compared with one another, and those before `begun` are left out.
    """
    search, store = here.search, here.store
    records = [here.known.records[node.key] for node in searched]
    if search.by == UDR:
        scores = list(_udr(tuple(str(store.run_folder(node.key)) for node in searched)))
    else:
        scores = [read_mig(record) for record in records]
    rated = [
        Candidate(node, score, bool(record["over_pruned"]))
        for node, score, record in zip(searched, scores, records, strict=True)
    ]
    if search.limits is None:
        return choose(rated, disentangled=search.disentangled, entangled=search.entangled)
    loaded = [
        Candidate(_Searched(c.run, _history(str(store.run_folder(c.run.key)))), *c[1:])
        for c in rated
    ]
    beyond, late = choose_beyond(loaded, search.limits), {node.key for node in searched[begun:]}
    return Chosen(*([run.node for run in kind if run.node.key in late] for kind in beyond))


def read_mig(record: Record) -> float:
    """The MIG of a finished run; an error if it has none."""
    found = record["scores"].get(MIG)
    if found is None:
        raise ValueError(
            f"the MIG of run {record['key']} is undefined or not asked for, and nothing can be "
            f"chosen by it: add {MIG} to the study's metrics."
        )
    return found


@cache
def _history(folder: str) -> list[Row]:
    return read_history(Path(folder))


@cache
def _udr(folders: tuple[str, ...]) -> tuple[float, ...]:
    """How far each run agrees with the others on the images that all of them encoded."""
    found = [load_representation(Path(folder)) for folder in folders]
    kl = [
        0.5 * np.mean(z**2 + np.exp(v) - v - 1, axis=0)
        for z, v in ((r.codes, r.require_log_variances()) for r in found)
    ]
    scores = udr([r.codes for r in found], kl=np.array(kl)).scores
    return tuple(float(value) for value in scores)
