"""What every exhibit is: asked for at a scale, it gives a table, pictures and verdicts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

SCALES = ("smoke", "laptop", "paper")
Value = str | int | float


@dataclass(frozen=True)
class Place:
    """How large an exhibit is to be made, where its runs are kept, and by how many workers.

    `rows` are CSV files of a study's rows: the runs in them count as finished, with those of the
    checkout's own `results/`. With `finished` nothing more is trained: an exhibit of a study is
    made from the runs that are there.
    """

    scale: str
    folder: Path
    workers: int = 2
    rows: tuple[Path, ...] = ()
    finished: bool = False


class Effect(NamedTuple):
    """One published effect, whether it is seen here, and the numbers that say so."""

    statement: str
    seen: bool
    evidence: str


@dataclass(frozen=True)
class Made:
    """What an exhibit shows.

    `head` and `table` are for people, with published numbers beside ours; `rows` hold every
    number with its provenance, one mapping a line; `pictures` are PNG bytes by file name.
    """

    head: Sequence[str]
    table: Sequence[Sequence[str]]
    rows: Sequence[Mapping[str, Value]]
    effects: Sequence[Effect] = ()
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    notes: Sequence[str] = ()


class Exhibit(Protocol):
    """A module of this package with a function that makes the exhibit."""

    def make(self, place: Place) -> Made: ...
