"""Tables 1 and 3-5 of Zietlow et al. 2021: one metric of the study's runs, published beside."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from gordium.exhibits.base import Effect, Made, Place
from gordium.exhibits.published import published
from gordium.exhibits.studies import Studied, labels, studied
from gordium.exhibits.verdicts import (
    RULE,
    change_effect,
    interval,
    mean_and_std,
    published_direction,
)
from gordium.report.beside import Pair, beside
from gordium.report.difference import Difference, differences
from gordium.report.seeds import seed_summary
from gordium.study.study import MODIFIED, NOISE, ORIGINAL

STUDY = "zietlow2021"
BASELINE = "ae"  # no alignment that could be lost
HEAD = (
    "method",
    "strength",
    "data",
    "published",
    "here",
    "95 % interval",
    "runs",
    "over-pruned",
)
Cells = dict[tuple[str, str, str], dict[str, Any]]


def table(place: Place, exhibit: str, metric: str, label: str) -> Made:
    """The exhibit of one metric; `label` is what people call it."""
    return made(studied(place, STUDY), published(exhibit), metric, label)


def made(found: Studied, theirs: dict[str, Any], metric: str, label: str) -> Made:
    """The same from rows alone."""
    frame = found.frame[(found.frame["metric"] == metric) & ~found.frame["failed"]]
    cells = summaries(frame)
    planned = list(dict.fromkeys((m, s, d, v) for d, v, m, s, _ in labels(found.study)))
    body = [
        _line(m, s, f"{d}/{v}", cells.get((m, d, v)), theirs.get(m, {}))
        for m, s, d, v in sorted(planned, key=lambda key: (_rank(key[0], theirs), key[2]))
    ]
    return Made(
        HEAD,
        body,
        found.rows([metric]),
        effects(found, frame, theirs, label),
        {"scores.png": beside(_panels(cells, theirs), label=label)} if cells else {},
        notes(found, theirs),
    )


def summaries(frame: pd.DataFrame) -> Cells:
    """Mean, deviation, interval and counts by (method, data set, variant)."""
    lines = seed_summary(frame).to_dict("records")
    pruning = frame["active_units"].notna().groupby(frame["method"]).any()
    return {
        (line["method"], line["dataset"], line["variant"]): {
            **line,
            "over_pruned": str(line["n_over_pruned"]) if pruning[line["method"]] else "",
        }
        for line in lines
    }


def effects(
    found: Studied, frame: pd.DataFrame, theirs: dict[str, Any], label: str
) -> list[Effect]:
    """Each published change from original to modified or noisy images, by data set and method."""
    means = frame.groupby(["method", "dataset", "variant"])["value"].mean()
    planned = list(dict.fromkeys((m, d) for d, _, m, _, _ in labels(found.study)))
    verdicts: list[Effect] = []
    for variant in (MODIFIED, NOISE):
        ours = _differences(frame, variant)
        for method, data in planned:
            pair = [theirs.get(method, {}).get(f"{data}/{v}") for v in (ORIGINAL, variant)]
            if method == BASELINE or None in pair:
                continue
            base = means.get((method, data, ORIGINAL), np.nan)
            text = f"{data}: {label} of {method} on {_images(variant)}"
            expected = published_direction(*pair)
            verdicts.append(change_effect(text, expected, ours.get((method, data)), base))
    return verdicts


def notes(found: Studied, theirs: dict[str, Any]) -> list[str]:
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
        RULE,
    ]
    return [*lines, f"Without a finished run here: {', '.join(absent)}."] if absent else lines


def _rank(method: str, theirs: dict[str, Any]) -> int:
    return list(theirs).index(method) if method in theirs else len(theirs)


def _line(
    method: str,
    strength: float | None,
    data: str,
    line: dict[str, Any] | None,
    numbers: dict[str, Any],
) -> Sequence[str]:
    own = (mean_and_std(None), "–", "0", "")
    if line is not None:
        ends = interval(line["low"], line["high"])
        own = (mean_and_std(line), ends, str(line["n"]), line["over_pruned"])
    theirs = mean_and_std(numbers.get(data))
    return (method, "" if strength is None else f"{strength:g}", data, theirs, *own)


def _differences(frame: pd.DataFrame, variant: str) -> dict[tuple[str, str], Difference]:
    lines = differences(frame, (ORIGINAL, variant)).to_dict("records")
    return {
        (line["method"], line["dataset"]): Difference(*(line[n] for n in Difference._fields))
        for line in lines
    }


def _images(variant: str) -> str:
    return f"{'noisy' if variant == NOISE else variant} images"


def _panels(cells: Cells, theirs: dict[str, Any]) -> dict[str, dict[tuple[str, str], Pair]]:
    panels: dict[str, dict[tuple[str, str], Pair]] = {}
    for (method, data, variant), line in cells.items():
        number = theirs.get(method, {}).get(f"{data}/{variant}", {}).get("mean", np.nan)
        pair = Pair(line["mean"], line["low"], line["high"], number)
        panels.setdefault(data, {})[method, variant] = pair
    return panels
