"""Rows: one number a line, with what it came from; tables are functions of them."""

import csv
import dataclasses
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

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
    names = [field.name for field in dataclasses.fields(Row)]
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(dataclasses.asdict(row) for row in rows)
    write_text(path, buffer.getvalue())


def read_rows(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return [_parsed(record) for record in csv.DictReader(file)]


def _parsed(record: dict[str, str]) -> Row:
    fields = {field.name: field.type for field in dataclasses.fields(Row)}
    if set(record) != set(fields):
        raise ValueError(f"a row must have the columns {', '.join(fields)}; got {list(record)}.")
    make = {int: int, float: float, str: str}
    return Row(**{name: make[kind](record[name]) for name, kind in fields.items()})  # type: ignore[index]
