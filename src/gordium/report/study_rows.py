"""The rows of a study: the records in its store, with the labels of its plan."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from gordium.report.rows import METRIC, Row, read_rows, write_rows
from gordium.study.process_lock import wait_alone
from gordium.study.records import PlanLine, Record
from gordium.study.store import Store


def study_rows(store: Store, nodes: Iterable[PlanLine] | None = None) -> list[Row]:
    """One row for each score of each finished run, and one for each failed run.

    The runs are those of `nodes`, or all that were planned. Closing numbers such as reconstruction
    and kl count as scores.
    """
    rows: list[Row] = []
    for run, scores in study_runs(store, nodes):
        before, after = run[:METRIC], run[METRIC + 2 :]
        rows += [Row._make((*before, *score, *after)) for score in scores.items()]
    return rows


def study_runs(
    store: Store, nodes: Iterable[PlanLine] | None = None
) -> Iterator[tuple[Row, dict[str, float | None]]]:
    """Each finished or failed run as `write_runs` takes it; a failed one has one empty score."""
    finished, failed = store.read_finished(), store.read_failed()
    for node in store.read_plan() if nodes is None else nodes:
        if node["kind"] != "run":
            continue
        if (record := finished.get(node["key"])) is not None:
            yield _describe(node, record), {**record["scores"], **record["closing"]}
        elif node["key"] in failed:
            yield _describe(node, None), {"": None}


def list_known_runs(paths: Iterable[Path], metrics: Iterable[str]) -> frozenset[str]:
    """The runs of which files of rows hold all these metrics: they count as finished."""
    found: dict[str, set[str]] = {}
    for path in paths:
        for row in read_rows(path):
            found.setdefault(row.run, set()).add(row.metric)
    wanted = set(metrics)
    return frozenset(run for run, held in found.items() if wanted <= held)


def merge_rows(old: Iterable[Row], new: Iterable[Row]) -> list[Row]:
    """Rows of both, those of `new` in place of the same run's and metric's in `old`."""
    rows = {(row.run, row.variant, row.metric): row for row in [*old, *new]}
    return list(rows.values())


def add_to(path: Path, new: Iterable[Row]) -> list[Row]:
    """Add rows to a file, or begin it; processes that add to one file wait for each other."""
    with wait_alone(path.parent):
        rows = merge_rows(read_rows(path) if path.exists() else [], new)
        write_rows(path, rows)
    return rows


def add_rows(path: Path, store: Store, key: str | None = None) -> None:
    """Add the rows of a study's run `key`, or of all its runs, to a file, if there are any."""
    nodes = [node for node in store.read_plan() if key in (None, node["key"])]
    if rows := study_rows(store, nodes):
        add_to(path, rows)


def _describe(node: PlanLine, record: Record | None) -> Row:
    """The row of a run without a score, and without a record if the run failed."""
    row = Row(
        *(node["data"], node["variant"], node["method"], node["strength"], node["seed"]),
        metric="",
        value=None,
        failed=record is None,
        run=node["key"],
    )
    if record is None:
        return row
    return row._replace(
        active_units=record["active_units"],
        over_pruned=record["over_pruned"],
        steps=record["steps"],
        n_images=record["n_images"],
        hyperparameters=json.dumps(record["hyperparameters"]),
        version=record["versions"]["gordium"],
        torch=record["versions"]["torch"],
    )
