"""The numbers of a study as its page's script reads them: runs, values and summaries."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict

import numpy as np
import pandas as pd

from gordium.report.frame import SETTING, find_discarded
from gordium.report.names import say_metric, sort_names
from gordium.report.pages.html import json_in_script
from gordium.report.rows import Row
from gordium.report.statistics.seeds import seed_summary


class StudyContent(TypedDict):
    """What the script reads: every run once, its values by metric, and a line per setting."""

    runs: list[dict[str, object]]
    values: dict[str, list[float | None]]
    words: dict[str, str]
    summary: list[dict[str, object]]
    order: dict[str, list[str]]
    links: dict[str, list[tuple[str, str]]]


Links = Mapping[str, Sequence[tuple[str, str]]]


def study_content(
    frame: pd.DataFrame, discard: Iterable[str], links: Links | None = None
) -> StudyContent:
    """Every run once, its values by metric, and mean and interval of every setting.

    Runs whose flag is in `discard` have no values here; `links` are files of a run by its key.
    """
    discard = tuple(discard)
    runs = frame.drop_duplicates("run")
    shown = frame[~find_discarded(frame, discard)]
    table = shown.pivot_table(index="run", columns="metric", values="value", sort=False)
    table = table.reindex(runs["run"])
    metrics = [name for name in dict.fromkeys(frame["metric"]) if name in table]
    keys = set(runs["run"])
    return {
        "runs": [_describe_run(line) for line in runs.itertuples()],
        "values": {name: [_number(v) for v in table[name]] for name in metrics},
        "words": {name: say_metric(name) for name in metrics},
        "summary": _summary(frame, discard),
        "order": {name: sort_names(frame[name]) for name in ("dataset", "variant", "method")},
        "links": {key: list(some) for key, some in (links or {}).items() if key in keys},
    }


def as_script(content: StudyContent) -> str:
    """A block of JSON that no name inside it can end."""
    return f'<script type="application/json" id="study">{json_in_script(content)}</script>'


def _describe_run(row: Row) -> dict[str, object]:
    flags = {"failed": row.failed, "over-pruned": row.over_pruned}
    return {
        "run": row.run,
        "dataset": row.dataset,
        "variant": row.variant,
        "method": row.method,
        "strength": _number(row.strength),
        "seed": int(row.seed),
        "active_units": _number(row.active_units),
        "note": ", ".join(word for word, holds in flags.items() if holds),
        "version": row.version if isinstance(row.version, str) else "",
    }


def _summary(frame: pd.DataFrame, discard: tuple[str, ...]) -> list[dict[str, object]]:
    found = seed_summary(frame, discard=discard)
    numbers = ("strength", "mean", "low", "high")
    lines = found[found["n"] > 0][[*SETTING, "metric", "mean", "low", "high"]].to_dict("records")
    return [{**line, **{name: _number(line[name]) for name in numbers}} for line in lines]


def _number(value: float | None) -> float | None:
    """A finite number with six digits; None for others, which JSON does not have."""
    if value is None or not np.isfinite(value):
        return None
    return float(f"{value:.6g}")
