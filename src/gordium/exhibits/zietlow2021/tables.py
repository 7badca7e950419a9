"""Tables 1 and 3-5 of Zietlow et al. 2021: one metric of the study's runs, and the published."""

from functools import partial

import numpy as np
import pandas as pd

from gordium.exhibits.base import Exhibit, Made, Place
from gordium.exhibits.number_text import format_published, interval, mean_and_std
from gordium.exhibits.published import Published, read_published
from gordium.exhibits.studies import Studied, complete_named, labels
from gordium.exhibits.zietlow2021 import claims
from gordium.report.figures.published_beside import Pair, draw_beside
from gordium.report.statistics.seeds import SeedLine, seed_summary

STUDY = "zietlow2021"
HEAD = ("method", "strength", "data", "published", "here", "95 % interval", "runs", "over-pruned")
Cells = dict[tuple[str, str, str], SeedLine]  # by method, data set and variant


def make(place: Place, exhibit: str, metric: str, label: str) -> Made:
    """Make the exhibit of one metric, which is shown as `label`."""
    return show(complete_named(place, STUDY), read_published(exhibit), metric, label)


def show(found: Studied, theirs: Published, metric: str, label: str) -> Made:
    """Make the exhibit from rows alone."""
    frame = found.usable[found.usable["metric"] == metric]
    cells = summarise_cells(frame)
    pruning = frame["active_units"].notna().groupby(frame["method"]).any().to_dict()
    planned = list(dict.fromkeys((m, s, d, v) for d, v, m, s, _ in labels(found.study)))
    body = [
        (
            m,
            "" if s is None else f"{s:g}",
            f"{d}/{v}",
            format_published(theirs.get(m, {}).get(f"{d}/{v}")),
            *_show_cell(cells.get((m, d, v)), pruning.get(m, False)),
        )
        for m, s, d, v in sorted(planned, key=lambda key: (_rank(key[0], theirs), key[2]))
    ]
    return Made(
        HEAD,
        body,
        found.rows([metric]),
        {"scores.png": draw_beside(_panels(cells, theirs), label=label)} if cells else {},
        notes(found, theirs),
    )


def summarise_cells(frame: pd.DataFrame) -> Cells:
    """Summarise the seeds of each method, data set and variant."""
    lines = seed_summary(frame).itertuples()
    return {(line.method, line.dataset, line.variant): line for line in lines}


def notes(found: Studied, theirs: Published) -> list[str]:
    """What to know of the study, for the notes below each table."""
    there = set(found.frame["method"])
    absent = [name for name in theirs if name not in there]
    study = found.study
    sizes = "; ".join(
        f"{images}, epsilon {study.data[name].epsilon:g}" for name, images in found.images.items()
    )
    lines = [
        found.note,
        f"Here: {sizes}; {len(study.seeds)} seeds, steps {found.steps}. Published: all factors "
        "at 64 x 64, 300,000 steps, 10 seeds. Mean ± standard deviation over seeds; over-pruned "
        "runs (fewer active units than factors) are counted and kept, as in the paper's tables.",
        "This study has one learned change and one draw of noise for each data set, which say "
        "nothing of others: their lines are shown, not judged. The demo's repetitions have ten of "
        "each; there the paper's sentences are judged (results/demo).",
    ]
    return [*lines, f"Without a finished run here: {', '.join(absent)}."] if absent else lines


def _rank(method: str, theirs: Published) -> int:
    return list(theirs).index(method) if method in theirs else len(theirs)


def _show_cell(line: SeedLine | None, can_prune: bool) -> tuple[str, ...]:
    if line is None:
        return ("–", "–", "0", "")
    ends = interval(line.low, line.high)
    pruned = str(line.n_over_pruned) if can_prune else ""
    return (mean_and_std(line.mean, line.std), ends, str(line.n), pruned)


def _panels(cells: Cells, theirs: Published) -> dict[str, dict[tuple[str, str], Pair]]:
    panels: dict[str, dict[tuple[str, str], Pair]] = {}
    for (method, data, variant), line in cells.items():
        there = theirs.get(method, {}).get(f"{data}/{variant}", {})
        published = [there.get(name, np.nan) for name in ("mean", "std")]
        pair = Pair(line.mean, line.low, line.high, *published)
        panels.setdefault(data, {})[method, variant] = pair
    return panels


def _exhibit(number: int, title: str, metric: str, label: str, spoken: str) -> Exhibit:
    name = f"zietlow2021-table{number}"
    return Exhibit(
        f"Table {number}",
        title,
        partial(make, exhibit=name, metric=metric, label=label),
        partial(claims.table, exhibit=name, label=spoken),
    )


table1 = _exhibit(
    1, "MIG of seven methods on original, modified and noisy images", "mig", "MIG", "MIG"
)
table3 = _exhibit(3, "DCI of the runs of Table 1", "dci", "DCI", "DCI")
table4 = _exhibit(
    4,
    "FactorVAE score of the runs of Table 1",
    "factor_vae_score",
    "FactorVAE score",
    "the FactorVAE score",
)
table5 = _exhibit(5, "SAP of the runs of Table 1", "sap", "SAP", "SAP")
