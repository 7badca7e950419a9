"""Rows: one number a line, with what it came from; tables are functions of them."""

import csv
import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

from gordium.cells import csv_text, read_cell
from gordium.files import write_text


@dataclass(frozen=True)
class Row:
    """One number: which variant of the data, seed and metric; then its provenance."""

    variant: str
    seed: int
    metric: str
    value: float
    dataset: str
    method: str
    run: str
    n_images: int
    version: str


class Summary(NamedTuple):
    """Mean and standard deviation over seeds (n - 1 in the denominator), and the values."""

    mean: float
    std: float
    values: list[float]

    def __str__(self) -> str:
        return f"{self.mean:.2f} ± {self.std:.2f}"


def summarise(rows: Sequence[Row], metric: str) -> dict[str, Summary]:
    """One summary for each variant, in the order in which the rows name them."""
    groups: dict[str, list[float]] = {}
    for row in rows:
        if row.metric == metric:
            groups.setdefault(row.variant, []).append(row.value)
    return {
        variant: Summary(fmean(values), stdev(values) if len(values) > 1 else 0.0, values)
        for variant, values in groups.items()
    }


def write_rows(path: Path, rows: Sequence[Row]) -> None:
    """Write rows as a CSV file."""
    names = [field.name for field in dataclasses.fields(Row)]
    write_text(path, csv_text(names, map(dataclasses.asdict, rows)))


def read_rows(path: Path) -> list[Row]:
    """The rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return [_parsed(record) for record in csv.DictReader(file)]


def _parsed(record: dict[str, str]) -> Row:
    fields = {field.name: field.type for field in dataclasses.fields(Row)}
    if set(record) != set(fields):
        raise ValueError(f"a row must have the columns {', '.join(fields)}; got {list(record)}.")
    make = {int: int, float: float, str: str}
    return Row(**{name: make[kind](read_cell(record[name])) for name, kind in fields.items()})  # type: ignore[index]
