"""The rows of a study: the records in its store, with the labels of its plan."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from gordium.report.rows import Row, read_rows, write_rows
from gordium.study.process_lock import wait_alone
from gordium.study.records import PlanLine, Record
from gordium.study.store import Store

_METRIC = Row._fields.index("metric")  # the value follows it


def study_rows(store: Store, nodes: Iterable[PlanLine] | None = None) -> list[Row]:
    """One row for each score of each finished run, and one for each failed run.

    The runs are those of `nodes`, or all that were planned. Closing numbers such as reconstruction
    and kl count as scores.
    """
    finished, failed = store.read_finished(), store.read_failed()
    rows: list[Row] = []
    for node in store.read_plan() if nodes is None else nodes:
        if node["kind"] != "run":
            continue
        if (record := finished.get(node["key"])) is not None:
            rows += _scores(node, record, {**record["scores"], **record["closing"]})
        elif node["key"] in failed:
            rows.append(_label(node, failed=True))
    return rows


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


def _scores(node: PlanLine, record: Record, values: Mapping[str, float | None]) -> Iterator[Row]:
    common = _label(
        node,
        active_units=record["active_units"],
        over_pruned=record["over_pruned"],
        steps=record["steps"],
        n_images=record["n_images"],
        hyperparameters=json.dumps(record["hyperparameters"]),
        version=record["versions"]["gordium"],
        torch=record["versions"]["torch"],
    )
    before, after = common[:_METRIC], common[_METRIC + 2 :]
    for metric, value in values.items():
        yield Row._make((*before, metric, value, *after))


def _label(node: PlanLine, **known: Any) -> Row:
    return Row(
        dataset=node["data"],
        variant=node["variant"],
        method=node["method"],
        strength=node["strength"],
        seed=node["seed"],
        metric="",
        value=None,
        run=node["key"],
        **known,
    )
