"""What every exhibit is: asked for at a scale, it gives a table, rows and pictures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from gordium.report.statistics.claims import Claim

SCALES = ("smoke", "laptop", "paper")
EARLIER = "unscaled"  # of exhibits whose runs were made before strengths followed the image size
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


@dataclass(frozen=True)
class Made:
    """What an exhibit shows.

    `head` and `table` are for people, with published numbers beside ours; `rows` hold every
    number with its provenance, one mapping a line, and the verdicts follow from nothing else;
    `pictures` are PNG bytes by file name.
    """

    head: Sequence[str]
    table: Sequence[Sequence[str]]
    rows: Sequence[Mapping[str, Value]]
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    notes: Sequence[str] = ()


def claim_nothing(rows: pd.DataFrame) -> list[Claim]:
    """The claims of an illustration, or of what holds by construction: there are none."""
    return []


@dataclass(frozen=True)
class Exhibit:
    """A table, figure or theorem of a paper: its place there, what makes it, what it claims.

    `make` makes it at a scale, and `claims` are read off the rows that were made.
    """

    name: str
    where: str
    title: str
    make: Callable[[Place], Made]
    claims: Callable[[pd.DataFrame], list[Claim]] = claim_nothing
