"""What would be learned from the runs of a search, and the room that is asked for before."""

from math import inf

from gordium.manipulation import Chosen
from gordium.spec import RunSpec
from gordium.study.data import MODIFIED, SWAPPED
from gordium.study.here import Found, Here, Planned
from gordium.study.nodes import Node, make_change_node, make_room_node
from gordium.study.search import Search
from gordium.study.tasks import ChangeTask, RoomTask


def assign_roles(search: Search, chosen: Chosen[Found], variant: str) -> Chosen[Found]:
    """Which runs a change is learned to favour: the entangled ones, unless roles are swapped.

    Where turned copies stand for the entangled runs, or none is asked, those that were found are
    left out.
    """
    good, bad = (some[: search.most_used] for some in chosen)
    bad = [] if search.learning.needs_one_kind else bad
    return Chosen(bad, good) if variant == SWAPPED else Chosen(good, bad)


def list_changes(here: Here, chosen: Chosen[Node], variant: str) -> list[Node]:
    """The changes to learn from chosen runs: one for each start."""
    return [make_change_node(here.name, task) for task in _list_tasks(here, chosen, variant)]


def plan_room(here: Here, chosen: Chosen[Node]) -> Planned[float]:
    """The room of a change of these runs: below 0 where one can pay, None while it is not known.

    Changes that were learned before rooms were asked for are taken as they are: they have all the
    room they need. So has what cannot be asked, and a search of which nothing is learned.
    """
    if here.data.learned is None or not here.search.asks_room:
        return [], -inf
    room = make_room_node(here.name, RoomTask.before(_list_tasks(here, chosen, MODIFIED)[0]))
    is_known = here.known.has([room])
    if here.known.has(list_changes(here, chosen, MODIFIED)):
        return [room] if is_known else [], -inf
    return [room], here.known.records[room.key]["room"] if is_known else None


def _list_tasks(here: Here, chosen: Chosen[Node], variant: str) -> list[ChangeTask]:
    good, bad = (
        [node.task for node in kind if isinstance(node.task, RunSpec)]
        for kind in assign_roles(here.search, chosen, variant)
    )
    data = here.data
    return [
        ChangeTask.of(data.dataset, good, bad, data.epsilon or 0.0, start)
        for start in here.search.starts
    ]
