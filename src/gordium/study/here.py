"""Where a phase of a plan is: a data set of a study, and what is known so far."""

from typing import NamedTuple, TypeVar

from gordium.study.data import Data
from gordium.study.nodes import Known, Node
from gordium.study.search import Search
from gordium.study.store import Store
from gordium.study.study import Study

Found = TypeVar("Found")
Planned = tuple[list[Node], Found | None]  # nodes, and what they lead to once that is known


class Here(NamedTuple):
    """A data set of a study, by its name, and what is known so far."""

    name: str
    study: Study
    store: Store
    known: Known

    @property
    def data(self) -> Data:
        """The data set, with its variants and its search."""
        return self.study.data[self.name]

    @property
    def search(self) -> Search:
        """The search; an error if there is none."""
        if self.data.search is None:
            raise ValueError(f"{self.name} has no search that a change could be learned from.")
        return self.data.search
