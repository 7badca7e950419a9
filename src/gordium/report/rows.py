"""Rows: one number each, with all that it came from. Tables and figures are made of them."""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, NamedTuple

from gordium.files import write_text
from gordium.table_text import csv_lines, csv_table, read_cell


class Row(NamedTuple):
    """One number: of which data, method and seed, and by which metric; then its provenance.

    A run that failed has one row, without a metric and a value.
    """

    dataset: str
    variant: str
    method: str
    strength: float | None
    seed: int
    metric: str
    value: float | None
    active_units: int | None = None
    over_pruned: bool | None = None
    failed: bool = False
    run: str = ""
    steps: int | None = None
    n_images: int | None = None
    hyperparameters: str | None = None
    version: str | None = None
    torch: str | None = None


CHOSEN_BY = ("search", "probe ")  # how the variants begin by which something is chosen
COLUMNS = Row._fields
METRIC = COLUMNS.index("metric")  # the value follows it
# The demo's rows in version 0.1, in which active units were a metric.
_COLUMNS_0_1 = {"variant", "seed", "metric", "value", "dataset", "method"}
_COLUMNS_0_1 |= {"run", "n_images", "version"}
_UNITS = "active_units"


class Summary(NamedTuple):
    """Mean and standard deviation over seeds (n - 1 in the denominator), and the values."""

    mean: float
    std: float
    values: list[float]

    def __str__(self) -> str:
        return f"{self.mean:.2f} ± {self.std:.2f}"


def summarise(rows: Iterable[Row], metric: str) -> dict[str, Summary]:
    """One summary for each variant, in the order in which the rows name them."""
    groups: dict[str, list[float]] = {}
    for row in rows:
        if row.metric == metric and row.value is not None:
            groups.setdefault(row.variant, []).append(row.value)
    return {
        variant: Summary(fmean(values), stdev(values) if len(values) > 1 else 0.0, values)
        for variant, values in groups.items()
    }


def fresh_rows(rows: Iterable[Row]) -> list[Row]:
    """The rows of the runs that nothing was chosen by."""
    return [row for row in rows if not row.variant.startswith(CHOSEN_BY)]


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """Write rows as a CSV file."""
    write_text(path, csv_table(COLUMNS, rows))


def write_runs(path: Path, runs: Iterable[tuple[Row, Mapping[str, float | None]]]) -> int:
    """Write the rows of runs as `write_rows` would, faster; return how many there are.

    A run is a row, whose metric and value are not read, and its scores by metric.
    """
    lines = csv_lines([COLUMNS])
    for run, scores in runs:
        before, after = csv_lines((run[:METRIC], run[METRIC + 2 :]))
        start = before[:-1]
        lines += [
            f"{start}{_between(metric)}{'' if value is None else value},{after}"
            for metric, value in scores.items()
        ]
    write_text(path, "".join(lines))
    return len(lines) - 1


@cache
def _between(metric: str) -> str:
    """The cell of a metric, with the commas before and after it."""
    return csv_lines([("", metric, "")])[0][:-1]


def read_rows(path: Path) -> list[Row]:
    """The rows of a CSV file; other columns are a ValueError."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            columns = tuple(reader.fieldnames or ())
            if columns == COLUMNS:
                return [_parse(record) for record in reader]
            if set(columns) == _COLUMNS_0_1:
                return list(_with_units([_parse({"strength": "", **record}) for record in reader]))
    except (ValueError, TypeError, csv.Error) as error:
        raise ValueError(f"{path} is damaged: {error}. Put it back as it was.") from error
    raise ValueError(
        f"{path} holds no rows of runs: the columns must be {', '.join(COLUMNS)}; "
        f"got {', '.join(columns)}."
    )


def _with_units(rows: Sequence[Row]) -> Iterator[Row]:
    """Active units, which were a metric in version 0.1, as a column of a run's other rows."""
    units = {row.run: row.value for row in rows if row.metric == _UNITS}
    for row in rows:
        if row.metric != _UNITS:
            known = units.get(row.run)
            yield row._replace(active_units=None if known is None else int(known))


def _parse(record: dict[str, str]) -> Row:
    if None in record or None in record.values():
        raise ValueError("a line has more or fewer cells than there are columns")
    return Row(**{name: _value(name, text) for name, text in record.items()})


def _value(name: str, text: str) -> Any:
    if text == "" and name != "metric":
        return None
    return _READ.get(name, read_cell)(text)


def _truth(text: str) -> bool:
    if text not in ("True", "False"):
        raise ValueError(f"{text!r} is neither True nor False")
    return text == "True"


_READ: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("strength", "value"), float),
    **dict.fromkeys(("seed", "steps", "active_units", "n_images"), int),
    **dict.fromkeys(("over_pruned", "failed"), _truth),
}
