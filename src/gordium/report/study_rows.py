"""The rows of a study: what its folder records, joined with what its plan calls them."""

import csv
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from gordium.cells import csv_text, read_cell
from gordium.files import write_text
from gordium.study.store import Record, Store

COLUMNS = (
    *("dataset", "variant", "method", "strength", "seed", "metric", "value"),
    *("active_units", "over_pruned", "failed", "run", "steps", "n_images", "hyperparameters"),
    *("version", "torch"),
)


def study_rows(store: Store, nodes: Iterable[Record] | None = None) -> list[Record]:
    """One row for each score of each finished run, and one for each failed run.

    Of the nodes given, or of all that was planned and recorded. Closing numbers are among them:
    reconstruction, kl, ...
    """
    finished, failed = store.finished(), store.failed()
    rows: list[Record] = []
    for node in store.planned() if nodes is None else nodes:
        if node["kind"] != "run":
            continue
        if (record := finished.get(node["key"])) is not None:
            closing = record["closing"] if "closing" in record else _old_closing(store, record)
            rows += _scores(node, record, {**record["scores"], **closing})
        elif node["key"] in failed:
            rows.append({**_named(node), "metric": "", "value": None, "failed": True})
    return rows


def _old_closing(store: Store, record: Record) -> dict[str, float]:
    """The closing numbers of a run that version 0.1 recorded, from its folder."""
    from gordium.closing import closing_numbers  # with all metrics, which rows do without

    stochastic = record["active_units"] is not None
    return closing_numbers(store.run_folder(record["key"]), stochastic=stochastic)


def known_runs(paths: Iterable[Path], metrics: Iterable[str]) -> frozenset[str]:
    """Runs that committed rows hold with all these metrics: they count as finished."""
    found: dict[str, set[str]] = {}
    for path in paths:
        for row in read_study_rows(path):
            found.setdefault(row["run"], set()).add(row["metric"])
    wanted = set(metrics)
    return frozenset(run for run, held in found.items() if wanted <= held)


def merged_rows(old: list[Record], new: list[Record]) -> list[Record]:
    """Rows of both, those of `new` in place of the same run's and metric's in `old`."""
    rows = {(row["run"], row["variant"], row["metric"]): row for row in [*old, *new]}
    return list(rows.values())


def added(path: Path, new: list[Record]) -> list[Record]:
    """Rows of a file, if there is one, and new ones."""
    return merged_rows(read_study_rows(path) if path.exists() else [], new)


def add_rows(path: Path, store: Store, key: str | None = None) -> None:
    """Add a study's rows, as far as there are any, to a file: of the run `key`, or of all."""
    nodes = [node for node in store.planned() if key in (None, node["key"])]
    if rows := study_rows(store, nodes):
        write_study_rows(path, added(path, rows))


def write_study_rows(path: Path, rows: Iterable[Record]) -> None:
    """Write the rows of a study as a CSV file."""
    write_text(path, csv_text(COLUMNS, rows))


def read_study_rows(path: Path) -> list[Record]:
    """The rows of a study in a CSV file; other columns are a ValueError."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) != COLUMNS:
            raise ValueError(f"{path} holds no rows of a study: its columns are others.")
        return [_parsed(row) for row in reader]


def _scores(node: Record, record: Record, values: Record) -> Iterator[Record]:
    versions = record["versions"]
    common = {
        **_named(node),
        "active_units": record["active_units"],
        "over_pruned": record["over_pruned"],
        "failed": False,
        "steps": record["steps"],
        "n_images": record["n_images"],
        "hyperparameters": json.dumps(record["hyperparameters"]),
        "version": versions["gordium"],
        "torch": versions["torch"],
    }
    for metric, value in values.items():
        yield {**common, "metric": metric, "value": value}


def _named(node: Record) -> Record:
    names = {key: node[key] for key in ("variant", "method", "strength", "seed")}
    return {"dataset": node["data"], **names, "run": node["key"]}


def _parsed(row: dict[str, str]) -> Record:
    numbers: dict[str, Any] = {"strength": float, "seed": int, "value": float, "steps": int}
    numbers |= {"active_units": int, "n_images": int}
    words = {"over_pruned": _truth, "failed": _truth}
    return {
        key: None
        if text == "" and key != "metric"
        else {**numbers, **words}.get(key, read_cell)(text)
        for key, text in row.items()
    }


def _truth(text: str) -> bool:
    return text == "True"
