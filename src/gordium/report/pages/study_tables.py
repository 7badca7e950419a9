"""The tables of a study's page, each an empty list where the rows cannot fill it."""

from collections.abc import Iterable, Sequence
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
from gordium.report.statistics.difference import KEYS, differences
from gordium.report.statistics.seeds import seed_summary
from gordium.report.statistics.transfer import transfer
from gordium.report.statistics.variance import OBJECTIVE, OBJECTIVE_AND_STRENGTH, variance_explained

_KEYS = (*SETTING, "metric")


def summaries(frame: pd.DataFrame, discard: Iterable[str]) -> list[str]:
    """Mean, deviation and interval, a line for each setting and metric."""
    summary = seed_summary(frame, discard=discard)
    numbers = [
        (line, [cells.mean_cell(line), Cell(str(line.n), value=line.n)])
        for line in summary.itertuples()
        if line.metric
    ]
    text = "Mean ± standard deviation over seeds, with Student's 95 % interval of the mean."
    text += " Hover over a number for its runs; press a column's name to sort."
    return _section("Scores", text, _KEYS, ["mean ± deviation [interval]", "runs"], numbers)


def variants(frame: pd.DataFrame, discard: Iterable[str]) -> list[str]:
    """Every variant against the original, or against the first."""
    names = list(dict.fromkeys(frame["variant"]))
    base = "original" if "original" in names else names[0]
    tables = [differences(frame, (base, name), discard=discard) for name in names if name != base]
    found = pd.concat(tables) if tables else pd.DataFrame()
    if found.empty:
        return []
    numbers = []
    for line in found.itertuples():
        alone = f"{line.n_unpaired} without a partner of the same seed" if line.n_unpaired else ""
        notes = (line.test, cells.say_discarded(line.n_discarded), alone)
        title = cells.provenance(line.runs, line.seeds, line.versions, *notes)
        interval = cells.ends(line.low, line.high)
        tests = [Cell(cells.shorten(n), title, n) for n in (line.effect, line.p, line.p_holm)]
        numbers.append((line, [Cell(f"{line.mean:+.3f}{interval}", title, line.mean), *tests]))
    text = (
        "Difference of means with its 95 % interval; two-sided exact tests, by sign flips of pairs "
        "of the same seed where there are such, else by dealing runs to the two at random. Effects "
        "are in standard deviations: of the differences, or pooled (Hedges' g). Holm's "
        "correction is for all lines of one comparison."
    )
    names, head = ["between", *KEYS], ["difference", "effect", "p", "p (Holm)"]
    return _section("Variants of the data", text, names, head, numbers)


def correlations(left: pd.DataFrame, scores: Sequence[str]) -> list[str]:
    """Rank correlation of the metrics over all runs of a data set."""
    used = left[left["metric"].isin(scores)]
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
    """Rank correlations with the metrics of scores that need no labels."""
    here = left[left["metric"].isin([*UNSUPERVISED, *scores])]
    found = unsupervised_agreement(here)
    if found.empty:
        return []
    titles = {key: cells.all_runs(group) for key, group in here.groupby(["dataset", "variant"])}
    numbers = []
    for line in found.itertuples():
        rho = Cell(cells.shorten(line.rho), titles[line.dataset, line.variant], line.rho)
        numbers.append((line, [rho, Cell(str(line.n), "", line.n)]))
    text = "Spearman's rho of scores that need no factors with metrics."
    names = ("dataset", "variant", "score", "metric")
    return _section("Other scores", text, names, ["rho", "runs"], numbers)


def variances(left: pd.DataFrame, scores: Sequence[str]) -> list[str]:
    """How much of the variance the method, and method and strength, explain."""
    used = left[left["metric"].isin(scores)]
    if used["method"].nunique() < 2:
        return []
    keys = ["dataset", "variant", "metric"]
    one, both = (variance_explained(used, f) for f in (OBJECTIVE, OBJECTIVE_AND_STRENGTH))
    found = one.merge(both, on=keys, suffixes=("", "_both"))
    titles = {key: cells.all_runs(group) for key, group in used.groupby(["dataset", "variant"])}
    numbers = []
    for line in found.itertuples():
        title = titles[line.dataset, line.variant]
        shares = (line.r2, line.by_chance, line.r2_both, line.by_chance_both)
        numbers.append((line, [Cell(cells.percent(share), title, share) for share in shares]))
    text = (
        "R² of a least-squares fit to the method, and to method × strength, as categories; "
        "the rest is due to the seed. By chance: what as many cells explain of pure noise."
    )
    head = ["method", "by chance", "method × strength", "by chance"]
    return _section("What explains the scores?", text, keys, head, numbers)


def transfers(left: pd.DataFrame, scores: Sequence[str]) -> list[str]:
    """Do good hyperparameters stay good? Needs several settings and seeds."""
    used = left[left["metric"].isin(scores)]
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
    table = page.sortable_table(["case", "chance", "trials"], body)
    return [page.heading("Transfer"), page.paragraph(text, small=True), table]


def _section(
    title: str,
    text: str,
    names: Sequence[str],
    head: Sequence[str],
    numbers: Iterable[tuple[Any, Sequence[Cell]]],
) -> list[str]:
    """A heading, a few words, and a table that can be sorted, with the `numbers` of each line.

    The columns `names` say what a line is about; metrics are in words.
    """
    body, keys = [], []
    for line, found in numbers:
        said = {name: cells.word(getattr(line, name)) for name in names}
        words = [say_metric(said[n]) if n in ("metric", "score") else said[n] for n in names]
        body.append([*map(cells.label, words), *found])
        keys.append({name: said[name] for name in names if name in _KEYS})
    columns = ["data set" if name == "dataset" else name for name in (*names, *head)]
    table = page.sortable_table(columns, body, keys)
    return [page.heading(title), page.paragraph(text, small=True), table]
