"""The tables of a study's page, each an empty list where the rows cannot fill it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from gordium.report.frame import SETTING
from gordium.report.names import say_metric
from gordium.report.pages import cells
from gordium.report.pages import html as page
from gordium.report.pages.html import Cell
from gordium.report.statistics.agreement import (
    UNSUPERVISED,
    rank_correlations,
    unsupervised_agreement,
)
from gordium.report.statistics.difference import differences
from gordium.report.statistics.seeds import seed_summary
from gordium.report.statistics.transfer import transfer
from gordium.report.statistics.variance import OBJECTIVE, OBJECTIVE_AND_STRENGTH, variance_explained

_KEYS = (*SETTING, "metric")


def summaries(frame: pd.DataFrame, discard: Iterable[str]) -> list[str]:
    """Mean, deviation and interval, a line for each setting and metric."""
    summary = seed_summary(frame, discard=discard)
    lines = [line for line in summary.itertuples() if line.metric]
    body = [
        [*_name_cells(line, _KEYS), cells.mean_cell(line), Cell(str(line.n), value=line.n)]
        for line in lines
    ]
    text = "Mean ± standard deviation over seeds, with Student's 95 % interval of the mean."
    text += " Hover over a number for its runs; press a column's name to sort."
    head = [*_KEYS, "mean ± deviation [interval]", "runs"]
    return _section("Scores", text, head, body, [_key(line, _KEYS) for line in lines])


def variants(frame: pd.DataFrame, discard: Iterable[str]) -> list[str]:
    """Every variant against the original, or against the first."""
    names = list(dict.fromkeys(frame["variant"]))
    base = "original" if "original" in names else names[0]
    tables = [differences(frame, (base, name), discard=discard) for name in names if name != base]
    found = pd.concat(tables) if tables else pd.DataFrame()
    if found.empty:
        return []
    head = ["between", "dataset", "method", "strength", "metric"]
    body, keys = [], []
    for line in found.itertuples():
        notes = (line.test, cells.say_discarded(line.n_discarded), cells.say_alone(line.n_unpaired))
        title = cells.provenance(line.runs, line.seeds, line.versions, *notes)
        interval = cells.ends(line.low, line.high)
        numbers = [Cell(f"{line.mean:+.3f}{interval}", title, line.mean)]
        numbers += [Cell(cells.shorten(n), title, n) for n in (line.effect, line.p, line.p_holm)]
        body.append([cells.label(line.between), *_name_cells(line, head[1:]), *numbers])
        keys.append(_key(line, head[1:]))
    text = (
        "Difference of means with its 95 % interval; two-sided exact tests, by sign flips of pairs "
        "of the same seed where there are such, else by dealing runs to the two at random. Effects "
        "are in standard deviations: of the differences, or pooled (Hedges' g). Holm's "
        "correction is for all lines of one comparison."
    )
    head += ["difference", "effect", "p", "p (Holm)"]
    return _section("Variants of the data", text, head, body, keys)


def correlations(left: pd.DataFrame, scores: Sequence[str]) -> list[str]:
    """Rank correlation of the metrics over all runs of a data set."""
    used = _of_scores(left, scores)
    groups = [
        (dataset, variant, group)
        for (dataset, variant), group in used.groupby(["dataset", "variant"], sort=False)
        if group["run"].nunique() > 2 and group["metric"].nunique() > 1
    ]
    parts = [_correlation(a, b, some, scores) for a, b, some in groups]
    text = "Spearman's rho of every two metrics over runs; bars are its size, minus is a sign."
    title = page.heading("Do the metrics agree?")
    return [title, page.paragraph(text, small=True), *parts] if parts else []


def _correlation(dataset: str, variant: str, group: pd.DataFrame, scores: Sequence[str]) -> str:
    names = [name for name in scores if name in set(group["metric"])]
    rho = rank_correlations(group).rho
    body = [[say_metric(a), *(float(r) for r in rho.loc[a, names])] for a in names]
    return page.hide_others(
        {"dataset": dataset, "variant": variant},
        f"{dataset}, {variant}: {group['run'].nunique()} runs",
        page.matrix(["", *map(say_metric, names)], body, title=cells.all_runs(group)),
    )


def compare_choices(left: pd.DataFrame, scores: Sequence[str]) -> list[str]:
    """Scores that need no labels against the metrics."""
    here = left[left["metric"].isin([*UNSUPERVISED, *scores])]
    found = unsupervised_agreement(here)
    if found.empty:
        return []
    titles = {key: cells.all_runs(group) for key, group in here.groupby(["dataset", "variant"])}
    lines, names = list(found.itertuples()), ("dataset", "variant", "score", "metric")
    body = [
        [
            *_name_cells(line, names),
            Cell(cells.shorten(line.rho), titles[line.dataset, line.variant], line.rho),
            Cell(str(line.n), "", line.n),
        ]
        for line in lines
    ]
    text = "Spearman's rho of scores that need no factors with metrics."
    keys = [_key(line, ("dataset", "variant", "metric")) for line in lines]
    return _section("Other scores", text, [*names, "rho", "runs"], body, keys)


def variances(left: pd.DataFrame, scores: Sequence[str]) -> list[str]:
    """How much of the variance the method, and method and strength, explain."""
    used = _of_scores(left, scores)
    if used["method"].nunique() < 2:
        return []
    keys = ["dataset", "variant", "metric"]
    one, both = (variance_explained(used, f) for f in (OBJECTIVE, OBJECTIVE_AND_STRENGTH))
    found = one.merge(both, on=keys, suffixes=("", "_both"))
    titles = {key: cells.all_runs(group) for key, group in used.groupby(["dataset", "variant"])}
    lines = list(found.itertuples())
    body = [
        [
            *_name_cells(line, keys),
            *(
                Cell(cells.percent(share), titles[line.dataset, line.variant], share)
                for share in (line.r2, line.by_chance, line.r2_both, line.by_chance_both)
            ),
        ]
        for line in lines
    ]
    text = (
        "R² of a least-squares fit to the method, and to method × strength, as categories; "
        "the rest is due to the seed. By chance: what as many cells explain of pure noise."
    )
    head = [*keys, "method", "by chance", "method × strength", "by chance"]
    marks = [_key(line, keys) for line in lines]
    return _section("What explains the scores?", text, head, body, marks)


def transfers(left: pd.DataFrame, scores: Sequence[str]) -> list[str]:
    """Do good hyperparameters stay good? Needs several settings and seeds."""
    used = _of_scores(left, scores)
    variant = "original" if "original" in set(used["variant"]) else next(iter(used["variant"]), "")
    used = used[used["variant"] == variant]
    settings = used[["method", "strength"]].drop_duplicates()
    if len(settings) < 2 or used["seed"].nunique() < 2:
        return []
    found = transfer(used, variant=variant)
    possible = {case: share for case, share in found.chance.items() if np.isfinite(share)}
    text = (
        f"The best of {len(settings)} settings at one seed against a random setting at another: "
        "how often it does at least as well. Higher values of all metrics are taken to be better."
    )
    title = cells.all_runs(used)
    body = [
        [cells.label(c), Cell(cells.percent(p), title, p), Cell(str(found.comparisons[c]), title)]
        for c, p in possible.items()
    ]
    return _section("Transfer", text, ["case", "chance", "trials"], body)


def _section(
    title: str,
    text: str,
    head: Sequence[str],
    body: Sequence[Sequence[Cell]],
    keys: Sequence[Mapping[str, str]] = (),
) -> list[str]:
    """A heading, a few words, and a table that can be sorted."""
    names = ["data set" if name == "dataset" else name for name in head]
    table = page.sortable_table(names, body, keys)
    return [page.heading(title), page.paragraph(text, small=True), table]


def _name_cells(line: tuple[Any, ...], names: Sequence[str]) -> list[Cell]:
    """The cells that say what a line is about; metrics are in words."""
    return [
        cells.label(say_metric(text) if name in ("metric", "score") else text)
        for name, text in _key(line, names).items()
    ]


def _key(line: tuple[Any, ...], names: Sequence[str]) -> dict[str, str]:
    return {name: cells.word(getattr(line, name)) for name in names}


def _of_scores(left: pd.DataFrame, scores: Sequence[str]) -> pd.DataFrame:
    return left[left["metric"].isin(scores)]
