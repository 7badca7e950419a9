"""The plan of a study: its runs and changes, as far as they are known.

Some keys depend on the results of other runs: that of a change on the runs that its search chose,
that of a run on modified images on its change. So the plan is a function of the study and of what
is known so far, and is made again whenever more is known. Each phase of a data set has no nodes
until the phase before it is complete.
"""

from itertools import chain, zip_longest
from typing import NamedTuple

from gordium.datasets import Dataset
from gordium.study.arm import Arm
from gordium.study.data import ORIGINAL
from gordium.study.here import Here
from gordium.study.nodes import (
    PIECE,
    Known,
    Node,
    make_change_node,
    make_room_node,
    make_run_node,
    read_known,
)
from gordium.study.phases import plan_variants
from gordium.study.searching import GaveUp
from gordium.study.store import Store
from gordium.study.study import Study, TaskList
from gordium.study.tasks import ChangeTask, Piece, RoomTask, Task


class Plan(NamedTuple):
    """The nodes that are known, and how many runs wait for a change that is not known yet.

    A run that has two names, such as that on the first draw of noise if it is also the worst, is a
    node under each of them. `gave_up` has what the searches say that found nothing.
    """

    nodes: list[Node]
    waiting: int
    gave_up: tuple[GaveUp, ...] = ()


def make_plan(study: Study | TaskList, store: Store, known: Known | None = None) -> Plan:
    """All nodes in the order of work: searches first, then all arms seed by seed."""
    if isinstance(study, TaskList):
        return Plan([make_listed_node(task) for task in study.tasks], 0)
    known = known or read_known(store)
    waiting = 0
    first: list[Node] = []
    fresh: list[list[Node]] = []
    gave_up: list[GaveUp] = []
    for name, data in study.data.items():
        try:
            before, variants = plan_variants(Here(name, study, store, known))
        except GaveUp as error:
            gave_up.append(error)
            before, variants = error.searched, dict.fromkeys(data.variants)
        first += before
        arms = list(study.arms_on(name))
        for variant, dataset in variants.items():
            if dataset is None:
                waiting += len(arms) * len(study.seeds_on(name))
            else:
                fresh += [_runs(name, variant, arm, dataset, study) for arm in arms]
    found: dict[tuple[str, str], Node] = {}
    for node in chain(first, filter(None, chain.from_iterable(zip_longest(*fresh)))):
        found.setdefault((node.key, node.labels["variant"]), node)
    return Plan(list(found.values()), waiting, tuple(gave_up))


def make_listed_node(task: Task) -> Node:
    """The node of a listed task; a run is labelled by the name and variant of its data set."""
    if isinstance(task, ChangeTask):
        return make_change_node(task.dataset.name, task)
    if isinstance(task, RoomTask):
        return make_room_node(task.change.dataset.name, task)
    if isinstance(task, Piece):
        return Node(PIECE, task.key, {"data": task.label}, task)
    return make_run_node(task.dataset.name, task.dataset.variant or ORIGINAL, task)


def _runs(name: str, variant: str, arm: Arm, dataset: Dataset, study: Study) -> list[Node]:
    specs = study.runs_of(name, arm, dataset, study.seeds_on(name))
    return [make_run_node(name, variant, spec) for spec in specs]
