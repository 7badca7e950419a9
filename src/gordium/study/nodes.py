"""The nodes of a plan: runs to train and changes to learn, and what is known of them so far."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gordium.spec import RunSpec
from gordium.study.arm import strength_of
from gordium.study.records import Labels, PlanLine, Record
from gordium.study.store import CHANGES, RUNS, Store
from gordium.study.tasks import ChangeTask, RoomTask, Task

RUN, CHANGE, ROOM, PIECE = "run", "manipulation", "room", "piece"
FOLDERS = {RUN: RUNS, CHANGE: CHANGES, ROOM: RUNS, PIECE: RUNS}


@dataclass(frozen=True)
class Node:
    """A run, a room or a change to learn: its key, its labels, and the task that a worker is given.

    The folder of a node that is `kept` must be in place, because what comes later follows from it.
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


class Known(NamedTuple):
    """What is known so far: the records by key, and whether a node's folder is in place."""

    records: Mapping[str, Record]
    in_place: Callable[[Node], bool]

    def has(self, nodes: Sequence[Node]) -> bool:
        """Whether all these nodes are finished and in place."""
        return all(node.key in self.records and self.in_place(node) for node in nodes)


def read_known(store: Store) -> Known:
    """Read from a store what is finished; of a room, its record is all that is needed."""

    def in_place(node: Node) -> bool:
        return node.kind == ROOM or store.in_place(FOLDERS[node.kind], node.key)

    return Known(store.read_finished(), in_place)


def make_run_node(name: str, variant: str, spec: RunSpec, *, kept: bool = False) -> Node:
    """The node of one run, with the labels that its rows carry."""
    labels: Labels = {
        "data": name,
        "variant": variant,
        "method": spec.method.name,
        "strength": strength_of(spec.method),
        "seed": spec.seed,
    }
    return Node(RUN, spec.key, labels, spec, kept)


def make_change_node(name: str, task: ChangeTask) -> Node:
    """The node of one change, which runs on modified images will need."""
    labels: Labels = {"data": name, "variant": CHANGE, "seed": task.settings.seed}
    return Node(CHANGE, task.key, labels, task, kept=True)


def make_room_node(name: str, task: RoomTask) -> Node:
    """The node of the question that comes before changes, on whose answer the search depends."""
    return Node(ROOM, task.key, {"data": name, "variant": ROOM}, task, kept=True)
