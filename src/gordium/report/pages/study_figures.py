"""The figures of a study's page, each an empty list where the rows cannot fill it."""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from gordium.report.figures import sweeps
from gordium.report.pages import html as page
from gordium.report.statistics.line_search import line_search
from gordium.report.statistics.tradeoff import tradeoff

SHOWN = 4


def spreads(left: pd.DataFrame, scores: Sequence[str]) -> list[str]:
    """How each score spreads over the runs of each method, a figure for each data set."""
    used = left[left["metric"].isin(scores) & np.isfinite(left["value"])]
    parts: list[str] = []
    groups = list(used.groupby(["dataset", "variant"], sort=False))
    for (dataset, variant), group in groups[:SHOWN]:
        panels = {
            metric: {name: values.to_numpy() for name, values in some.groupby("method")["value"]}
            for metric, some in group.groupby("metric", sort=False)
        }
        caption = f"{dataset}, {variant}: every run; boxes hold half of them."
        parts.append(page.picture(sweeps.distributions(panels), caption))
    return [*parts, *not_drawn(len(groups))]


def not_drawn(n: int) -> list[str]:
    """Says how many data sets and variants have no figure; a page holds only so many."""
    more = n - SHOWN
    text = f"{more} more data sets or variants are in the tables and rows, but not drawn."
    return [page.paragraph(text, small=True)] if more > 0 else []


def strengths(frame: pd.DataFrame, scores: Sequence[str], discard: Iterable[str]) -> list[str]:
    """The first score along the strength, and against the reconstruction."""
    counts = frame.groupby(["dataset", "method"])["strength"].nunique()
    if not scores or counts.max() < 2:
        return []
    parts: list[str] = []
    datasets = list(dict.fromkeys(frame.loc[frame["metric"] == scores[0], "dataset"]))
    for dataset in datasets[:SHOWN]:
        group = frame[frame["dataset"] == dataset]
        several = [m for m in dict.fromkeys(group["method"]) if counts[dataset, m] > 1]
        group = group[group["method"].isin(several)]
        if scores[0] in set(group["metric"]):
            parts += [_search(group, scores[0], discard), *_tradeoff(group, scores[0], discard)]
    more = not_drawn(len(datasets))
    return [page.heading("Along the strength"), *parts, *more] if parts else []


def _search(group: pd.DataFrame, metric: str, discard: Iterable[str]) -> str:
    methods = dict.fromkeys(group["method"], 1.0)
    found = line_search(group, metric, methods, discard=discard)
    panels = {
        method: {
            variant: sweeps.Search(
                line["strength"], line["mean"], line["low"], line["high"],
                line["n"].tolist(), line["n_discarded"].tolist(),
            )
            for variant, line in some.groupby("variant", sort=False)
        }
        for method, some in found.groupby("method", sort=False)
    }  # fmt: skip
    png = sweeps.line_searches(panels, label=metric, x_label="strength")
    dataset = group["dataset"].iloc[0]
    text = f"{dataset}: mean of {metric} with its 95 % interval; −k: k runs discarded, ×: all."
    return page.picture(png, text)


def _tradeoff(group: pd.DataFrame, metric: str, discard: Iterable[str]) -> list[str]:
    if "reconstruction" not in set(group["metric"]):
        return []
    found = tradeoff(group, "reconstruction", metric, discard=discard)
    curves = {
        f"{method}, {variant}": sweeps.Curve(
            line["x"], line["y"], line["x_error"], line["y_error"],
            [f"{strength:g}" for strength in line["strength"]],
        )
        for (method, variant), line in found.groupby(["method", "variant"], sort=False)
    }  # fmt: skip
    png = sweeps.tradeoff_curves(curves, x_label="reconstruction", y_label=metric)
    text = f"{group['dataset'].iloc[0]}: means with standard errors, marked by the strength."
    return [page.picture(png, text)]
