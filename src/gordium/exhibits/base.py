"""What every exhibit is: a function from a scale and a folder to a table, rows and pictures."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from gordium.report.statistics.claims import Claim

SCALES = ("smoke", "laptop", "paper")
PAPERS = {  # by the folder of a paper, with which the names of its exhibits begin
    "zietlow2021": "Zietlow et al. 2021",
    "rolinek2019": "Rolinek et al. 2019",
    "locatello2019": "Locatello et al. 2019",
    "burgess2018": "Burgess et al. 2018",
    "stuehmer2020": "Stühmer et al. 2020",
}
EARLIER = "unscaled"  # the scale of runs from before strengths followed the image size
FORMER = "earlier"  # the scale of rows that `laptop` made before it was declared anew
SUMMARY, ROWS = "exhibit.json", "rows.csv"  # files of an exhibit
Value = str | int | float
Row = dict[str, Value]


@dataclass(frozen=True)
class Place:
    """At which scale an exhibit is made, where its runs are kept, and by how many workers.

    `rows` are CSV files of a study's rows: the runs in them count as finished, as do those in the
    checkout's own `results/`. With `finished` nothing is trained: the exhibit is made from the
    finished runs. `before` is the folder of an exhibit that will be written over: rows of data sets
    whose files are not on this machine are kept from there.
    """

    scale: str
    folder: Path
    workers: int = 2
    rows: tuple[Path, ...] = ()
    finished: bool = False
    before: Path | None = None


@dataclass(frozen=True)
class Made:
    """What an exhibit shows.

    `head` and `table` are for people, with published numbers beside ours. `rows` hold every number
    with its provenance, one mapping for each line; verdicts follow from nothing else. `pictures`
    are PNG bytes by file name.
    """

    head: Sequence[str]
    table: Sequence[Sequence[str]]
    rows: Sequence[Mapping[str, Value]]
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    notes: Sequence[str] = ()


def fill(columns: Mapping[str, str], rows: Iterable[Mapping[str, Value]]) -> list[tuple[str, ...]]:
    """The lines of a table: what each column says of each row.

    >>> fill({"data": "{name}", "told": "{share:.0%}"}, [{"name": "faces", "share": 0.25}])
    [('faces', '25 %')]
    """
    texts = columns.values()
    return [tuple(text.format_map(row).replace("%", " %") for text in texts) for row in rows]


def claim_nothing(rows: pd.DataFrame) -> list[Claim]:
    """Return no claims: for an illustration, or for what holds by construction."""
    return []


@dataclass(frozen=True)
class Exhibit:
    """A `part` of a paper, such as a figure, with its `title`, how it is made and how judged.

    `make` makes it at a scale, and `claims` reads what the paper claims off the rows. It is called
    as the variable that holds it.
    """

    part: str
    title: str
    make: Callable[[Place], Made]
    claims: Callable[[pd.DataFrame], list[Claim]] = claim_nothing
