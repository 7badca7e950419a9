"""The plan of a study: its runs and changes, as far as they are known.

Some keys depend on the results of other runs: that of a change on the runs that its search chose,
that of a run on modified images on its change. So the plan is a function of the study and of what
is known so far, and is made again whenever more is known. Each phase of a data set has no nodes
until the phase before it is complete.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gordium.datasets import Dataset, Modified, Noisy
from gordium.evaluation.run_scores import load_representation
from gordium.manipulation import Candidate, choose, load_manipulation
from gordium.metrics import udr
from gordium.spec import RunSpec
from gordium.study.imported_changes import find_given_change
from gordium.study.records import Labels, PlanLine, Record
from gordium.study.store import CHANGES, RUNS, Store
from gordium.study.study import (
    MIG,
    MODIFIED,
    NOISE,
    NOISE_SEED,
    ORIGINAL,
    SEARCH,
    UDR,
    Arm,
    Data,
    Study,
    TaskList,
    strength_of,
)
from gordium.study.tasks import ChangeTask, Piece, Task

RUN, CHANGE, PIECE = "run", "manipulation", "piece"
FOLDERS = {RUN: RUNS, CHANGE: CHANGES, PIECE: RUNS}


@dataclass(frozen=True)
class Node:
    """A run or a change to learn: its key, its labels, and the task that a worker is given.

    The folder of a node that is `kept` must be in place, because something later is made from it.
    """

    kind: str
    key: str
    labels: Labels
    task: Task
    kept: bool = False

    @property
    def label(self) -> str:
        """The labels as text, for people."""
        return " ".join(str(part) for part in self.labels.values() if part is not None)

    @property
    def line(self) -> PlanLine:
        """What the store keeps of the node."""
        return {"kind": self.kind, "key": self.key, **self.labels}


class Plan(NamedTuple):
    """The nodes that are known, and how many runs wait for a change that is not known yet."""

    nodes: list[Node]
    waiting: int


class Known(NamedTuple):
    """What is known so far: the records by key, and whether a node's folder is in place."""

    records: Mapping[str, Record]
    in_place: Callable[[Node], bool]

    def has(self, nodes: Sequence[Node]) -> bool:
        """Whether all these nodes are finished and in place."""
        return all(node.key in self.records and self.in_place(node) for node in nodes)


def read_known(store: Store) -> Known:
    """What is known from a store."""
    return Known(store.read_finished(), lambda node: store.in_place(FOLDERS[node.kind], node.key))


def make_plan(study: Study | TaskList, store: Store, known: Known | None = None) -> Plan:
    """All nodes in the order of work: searches first, then all arms seed by seed."""
    if isinstance(study, TaskList):
        return Plan([make_listed_node(task) for task in study.tasks], 0)
    known = known or read_known(store)
    found: dict[str, Node] = {}
    waiting = 0
    fresh: list[list[Node]] = []
    for name in study.data:
        before, variants = _variants(name, study, store, known)
        found |= {node.key: node for node in before}
        arms = list(study.arms_on(name))
        for variant, dataset in variants.items():
            if dataset is None:
                waiting += len(arms) * len(study.seeds_on(name))
            else:
                fresh += [_runs(name, variant, arm, dataset, study) for arm in arms]
    for node in filter(None, chain.from_iterable(zip_longest(*fresh))):
        found.setdefault(node.key, node)
    return Plan(list(found.values()), waiting)


def choose_change(name: str, study: Study, store: Store) -> str | None:
    """The folder of the change of a data set's modified images, or None if it is not known yet."""
    found = _plan_modified(name, study, store, read_known(store))[1]
    return None if found is None else str(found)


def search_nodes(name: str, study: Study) -> list[Node]:
    """The runs of a data set's search, among which those are chosen that its change needs."""
    data = study.data[name]
    search = data.search
    if search is None:
        return []
    specs = study.runs_of(name, search.arm, data.dataset, search.seeds)
    return [replace(make_run_node(name, SEARCH, spec), kept=True) for spec in specs]


def choose_runs(
    data: Data, searched: Sequence[Node], store: Store, known: Known
) -> tuple[list[Node], list[Node]]:
    """The runs that a change is learned from: the disentangled ones, and the entangled ones."""
    if data.search is None:
        raise ValueError("only a search has runs to choose from.")
    search = data.search
    records = [known.records[node.key] for node in searched]
    if search.by == UDR:
        scores = list(_udr(tuple(str(store.run_folder(node.key)) for node in searched)))
    else:
        known_scores = [record["scores"].get(MIG) for record in records]
        scores = [score for score in known_scores if score is not None]
        if len(scores) < len(records):
            raise ValueError("a search is judged by MIG: add mig to the study's metrics.")
    candidates = [
        Candidate(node, value, bool(record["over_pruned"]))
        for node, value, record in zip(searched, scores, records, strict=True)
    ]
    found = choose(candidates, disentangled=search.disentangled, entangled=search.entangled)
    return found.disentangled, found.entangled


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


def make_run_node(name: str, variant: str, spec: RunSpec) -> Node:
    """The node of one run, with the labels that its rows carry."""
    labels: Labels = {
        "data": name,
        "variant": variant,
        "method": spec.method.name,
        "strength": strength_of(spec.method),
        "seed": spec.seed,
    }
    return Node(RUN, spec.key, labels, spec)


def _variants(
    name: str, study: Study, store: Store, known: Known
) -> tuple[list[Node], dict[str, Dataset | None]]:
    """The nodes before a data set's variants, and the variants; None is one that waits."""
    data = study.data[name]
    variants: dict[str, Dataset | None] = {v: _variant(data, v) for v in data.variants}
    if MODIFIED not in variants:
        return [], variants
    nodes, folder = _plan_modified(name, study, store, known)
    if folder is not None:
        variants[MODIFIED] = Modified(data.dataset, load_manipulation(folder))
    return nodes, variants


def _variant(data: Data, variant: str) -> Dataset | None:
    if variant == ORIGINAL:
        return data.dataset
    if variant == NOISE and data.epsilon is not None:
        return Noisy(data.dataset, data.epsilon, seed=NOISE_SEED)
    return None


def _plan_modified(name: str, study: Study, store: Store, known: Known) -> tuple[list[Node], Any]:
    """The nodes before runs on modified images, and the folder of the chosen change or None."""
    data, searched = study.data[name], search_nodes(name, study)
    given = find_given_change(data, {node.key for node in searched}, store)
    if given is not None:
        return [], given
    if not known.has(searched):
        return searched, None
    changes = change_nodes(name, data, searched, store, known)
    if not known.has(changes):
        return [*searched, *changes], None
    # L_ent - L_dis at the end of learning
    best = min(changes, key=lambda node: known.records[node.key]["settled"])
    return [*searched, *changes], store.manipulation_folder(best.key)


def change_nodes(
    name: str, data: Data, searched: Sequence[Node], store: Store, known: Known
) -> list[Node]:
    """The changes to learn when all runs of the search are done: one for each restart."""
    search = data.search
    if search is None:
        return []
    chosen = choose_runs(data, searched, store, known)
    best, worst = ([_spec(node) for node in kind] for kind in chosen)
    seeds = range(search.learning.seed, search.learning.seed + search.restarts)
    learning = [replace(search.learning, seed=seed) for seed in seeds]
    tasks = [ChangeTask.of(data.dataset, best, worst, data.epsilon or 0.0, how) for how in learning]
    return [_change_node(name, task) for task in tasks]


def _change_node(name: str, task: ChangeTask) -> Node:
    labels: Labels = {"data": name, "variant": CHANGE, "seed": task.settings.seed}
    return Node(CHANGE, task.key, labels, task, kept=True)


def make_listed_node(task: Task) -> Node:
    """The node of a listed task; a run is labelled by the name and variant of its data set."""
    if isinstance(task, ChangeTask):
        return _change_node(task.dataset.name, task)
    if isinstance(task, Piece):
        return Node(PIECE, task.key, {"data": task.label}, task)
    return make_run_node(task.dataset.name, task.dataset.variant or ORIGINAL, task)


def _spec(node: Node) -> RunSpec:
    assert isinstance(node.task, RunSpec)
    return node.task


def _runs(name: str, variant: str, arm: Arm, dataset: Dataset, study: Study) -> list[Node]:
    specs = study.runs_of(name, arm, dataset, study.seeds_on(name))
    return [make_run_node(name, variant, spec) for spec in specs]
