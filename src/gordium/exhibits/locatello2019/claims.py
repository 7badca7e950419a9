"""What the tables, figures and Theorem 1 of Locatello et al. 2019 claim.

A claim is judged on the data sets that its figure or table prints; others are shown beside it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from operator import itemgetter

import numpy as np
import pandas as pd

from gordium.exhibits.locatello2019 import jackknifed
from gordium.exhibits.locatello2019.names import DATA, METRICS, PRINTED, SCORES
from gordium.exhibits.published import read_published
from gordium.exhibits.runs import FIRST_REPORTED
from gordium.report.statistics.claims import (
    Claim,
    Line,
    direction,
    equivalence,
    identity,
    paired_direction,
    quantity_of,
)
from gordium.report.statistics.correlation import rank, rank_by_group
from gordium.report.statistics.student import Estimate, jackknife_interval
from gordium.report.statistics.transfer import settings_agreement

APART = "Modularity"
DRAWN = "drawn images in place of the published ones"
AS_PRINTED = "2026-11-18"  # since when the printed data sets alone are judged
CHOSEN_LATE = "that this data set alone is judged was decided after these rows had been looked at"
TASKS = {"downstream": "", "downstream_logistic": ", logistic"}
EFFICIENCY = "downstream.efficiency"
MANY_PRUNED = 0.25  # of the runs of a data set; more, and a correlation must hold without them
PARTS = {"objective": False, "objective x strength": True}  # with each, whether it is crossed
Lines = Sequence[tuple[str, Line]]  # each with its data set
Tables = Sequence[pd.DataFrame]  # of runs, one for each data set


def _claim_as_printed(frame: pd.DataFrame, figure: str, text: str, lines: Lines) -> Claim:
    """The claim with the lines of the figure's own data set, and all others beside it."""
    own = tuple(line for data, line in lines if DATA[data] == PRINTED[figure])
    rest = tuple(line for data, line in lines if DATA[data] != PRINTED[figure])
    note = CHOSEN_LATE if (frame["seed"] < FIRST_REPORTED).any() else ""
    return Claim(text, own, note, rule_date=AS_PRINTED, beside=rest)


def _correlate_twice(make: Callable[[Tables], Line], tables: Tables) -> Line:
    """A line on the correlation of runs, again without those that over-prune if these are many.

    Scores of runs that over-prune fall together, and are correlated by that alone.
    """
    line = make(tables)
    runs = [table.drop_duplicates("run")["over_pruned"].astype(bool) for table in tables]
    if all(own.mean() <= MANY_PRUNED for own in runs):
        return line
    pruned = pd.concat(runs)
    of = f"without the {pruned.sum()} of {len(pruned)} runs that over-prune"
    rest = [table[~table["over_pruned"].astype(bool)] for table in tables]
    return replace(line, again=replace(make(rest), of=of))


def theorem1(frame: pd.DataFrame) -> list[Claim]:
    """Theorem 1: f keeps the density, and each of its coordinates depends on all others."""
    cases = frame[frame["density_off"].notna()]
    n = len(cases)
    off = float(cases["density_off"].max())
    # The smaller the derivative, the less one coordinate depends on another: it must be above 0.
    flat = float(-cases["smallest_derivative"].min())
    return [
        Claim(
            "f(z) has the density of z, difference of logarithms",
            (identity("", off, 1e-6, n=n),),
            f"the least of {int(cases['n_tests'].sum())} p-values of marginals and pairs is "
            f"{cases[['p_marginals', 'p_pairs']].min().min():.4f}",
        ),
        Claim(
            "every coordinate of f depends on every other, minus the least derivative",
            (identity("", flat, -1e-12, n=n),),
        ),
    ]


def figure1(frame: pd.DataFrame) -> list[Claim]:
    """Figure 1: the change from the least to the greatest strength, by seed, mean over methods."""
    kinds = {
        "total_correlation": ("sampled", "falls", -1),
        "gaussian_total_correlation": ("mean", "rises", 1),
    }
    claims = []
    for metric, (codes, word, sign) in kinds.items():
        used = frame[(frame["metric"] == metric) & (frame["method"] != "annealed-vae")]
        lines = [
            (str(data), paired_direction(str(data), *_ends(group), sign))
            for data, group in used.groupby("dataset", sort=False)
        ]
        text = f"the total correlation of {codes} codes {word} with the strength, nats"
        claims.append(_claim_as_printed(frame, "Figure 1", text, lines))
    return claims


def _ends(group: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    table = group.pivot_table(index="seed", columns=["method", "strength"], values="value").dropna()
    methods = table.columns.get_level_values(0).unique()
    least = [table[m].iloc[:, 0] for m in methods]
    most = [table[m].iloc[:, -1] for m in methods]
    return sum(least) / len(least), sum(most) / len(most)


def figure2(frame: pd.DataFrame) -> list[Claim]:
    """Figure 2: rank correlations of metrics over all runs, with intervals over settings."""
    pairs: list[tuple[str, Line]] = []
    apart: list[tuple[str, Line]] = []
    for data, runs in jackknifed.pivot_runs(frame):
        others = [m for m in METRICS if m != APART]
        pairs += [
            (data, _expect_positive(f"{data}, {pair[0]} and {pair[1]}", runs, pair))
            for pair in combinations(others, 2)
        ]
        means = {m: jackknifed.mean_agreement(runs, m) for m in METRICS}
        next_least = min(others, key=lambda m: means[m])
        apart.append((data, _compare_modularity(data, runs, next_least)))
    return [
        _claim_as_printed(
            frame, "Figure 2",
            "all metrics but Modularity are correlated with each other", pairs,
        ),
        _claim_as_printed(
            frame, "Figure 2",
            "Modularity agrees least with the others, difference of mean rho", apart,
        ),
    ]  # fmt: skip


def _expect_positive(of: str, runs: pd.DataFrame, pair: tuple[str, str]) -> Line:
    """A rank correlation that is published to be positive."""

    def make(tables: Tables) -> Line:
        [some] = tables
        found = rank_by_group(some[pair[0]], some[pair[1]], some["setting"])
        return direction(of, found, 1, unit="setting")

    return _correlate_twice(make, [runs])


def _compare_modularity(data: str, runs: pd.DataFrame, other: str) -> Line:
    """Modularity's mean rho minus that of the metric which agrees least of the others."""

    def make(tables: Tables) -> Line:
        [own] = tables

        def gap(settings: Sequence[str]) -> float:
            some = own[own["setting"].isin(list(settings))]
            return jackknifed.mean_agreement(some, APART) - jackknifed.mean_agreement(some, other)

        found = jackknife_interval(gap, sorted(set(own["setting"])))
        return direction(f"{data}, against {other}", found, -1, unit="setting")

    return _correlate_twice(make, [runs])


def variance_explained(frame: pd.DataFrame) -> list[Claim]:
    """Tables (a) and (b): shares of explained variance, with intervals over seeds.

    They are corrected for the number of cells, unless they are compared with published shares.
    """
    theirs = read_published("locatello2019-variance-explained")
    gained, numbers = [], []
    for data, group in frame.groupby("dataset", sort=False):
        for name, metric in METRICS.items():
            values = jackknifed.cube(group, metric)
            of, fit = f"{data}, {name}", partial(jackknifed.fit_share, values)
            if not np.isfinite(fit(values.seeds, crossed=False, corrected=True)):
                continue
            alone, together = (theirs[part][DATA[str(data)]][name] / 100 for part in PARTS)
            found = jackknife_interval(partial(jackknifed.fit_gain, values), values.seeds)
            gained.append(direction(of, found, 1, published=together - alone))
            note = DRAWN if str(data).endswith("-like") else ""
            for (part, crossed), printed in zip(PARTS.items(), (alone, together), strict=True):
                share = partial(fit, crossed=crossed, corrected=False)
                found = jackknife_interval(share, values.seeds)
                numbers.append(quantity_of(f"{of}, {part}", found, printed, note=note))
    return [
        Claim("the strength explains variance beyond the objective, share", tuple(gained)),
        Claim("shares of explained variance are the published ones", tuple(numbers)),
    ]


def model_selection(frame: pd.DataFrame) -> list[Claim]:
    """Key result 4: how often settings transfer, and what scores without labels tell."""
    theirs = read_published("locatello2019-model-selection")
    same, data, _, both = cases = tuple(jackknifed.transfer_shares(frame, None))
    seeds = sorted(set(frame["seed"]))
    n = frame[["method", "strength"]].drop_duplicates().shape[0]
    luck = (n + 1) / (2 * n)

    def estimate(number: Callable[[dict[str, float]], float]) -> Estimate:
        return jackknife_interval(
            lambda some: number(jackknifed.transfer_shares(frame, some)), seeds
        )

    printed = {case: theirs[case] / 100 for case in cases if case in theirs}
    ladder: list[tuple[str, Callable[[dict[str, float]], float], int]] = [
        (f"{same} against luck", lambda c: c[same] - luck, 1),
        (f"{data} against the same one", lambda c: c[data] - c[same], -1),
        (f"{both} against {data}", lambda c: c[both] - c[data], -1),
    ]
    numbers = [
        quantity_of(case, estimate(itemgetter(case)), share) for case, share in printed.items()
    ]
    return [
        Claim(
            "good settings help at another seed, less on another data set, least on another "
            "metric too",
            tuple(
                direction(text, estimate(number), sign, published=number(printed))
                for text, number, sign in ladder
            ),
        ),
        Claim("chances of transferred settings are the published ones", tuple(numbers)),
        Claim(
            "settings that do well on dSprites do well on Color-dSprites, rank correlation",
            tuple(_across(frame)),
        ),
        Claim(
            "scores without labels do not go with the metrics, mean rho over metrics and data sets",
            tuple(_judge_unrelated(frame)),
        ),
    ]


def _across(frame: pd.DataFrame) -> list[Line]:
    """The one pair of data sets that the paper says agree, by metric; the unit is the setting."""
    first, second = "dsprites", "color-dsprites"
    tables = [frame[frame["dataset"] == data] for data in (first, second)]

    def expect(name: str, metric: str) -> Line:
        def make(some: Tables) -> Line:
            found = settings_agreement(pd.concat(some), first, second, metric)
            return direction(name, found, 1, unit="setting")

        return _correlate_twice(make, tables)

    lines = [expect(name, metric) for name, metric in METRICS.items()]
    return [line for line in lines if line.n]


def downstream(frame: pd.DataFrame) -> list[Claim]:
    """Key result 5: correlations of metrics with the accuracy and efficiency of later tasks."""
    tables = list(jackknifed.pivot_runs(frame))
    accuracy = [
        (data, _expect_positive(f"{data}, {metric}{by}", runs, (task, metric)))
        for data, runs in tables
        for task, by in TASKS.items()
        for metric in METRICS
        if metric != APART and task in runs
    ]
    efficiency = [
        (data, _expect_none(f"{data}, {metric}", EFFICIENCY, [metric], [runs]))
        for data, runs in tables
        for metric in METRICS
        if _varies(runs, metric, EFFICIENCY)
    ]
    return [
        _claim_as_printed(
            frame, "Figures 5 and 6",
            "metrics but Modularity go with the accuracy of a later task", accuracy,
        ),
        _claim_as_printed(
            frame, "Figures 5 and 6",
            "metrics do not go with the efficiency of a later task, rho", efficiency,
        ),
    ]  # fmt: skip


def _judge_unrelated(frame: pd.DataFrame) -> list[Line]:
    """The mean correlation of each score with all metrics on all data sets, expected to be 0."""
    tables = [runs for _, runs in jackknifed.pivot_runs(frame)]
    return [
        _expect_none(score, score, list(METRICS), tables)
        for score in SCORES
        if any(_varies(runs, score, metric) for runs in tables for metric in METRICS)
    ]


def _expect_none(of: str, score: str, metrics: Sequence[str], tables: Tables) -> Line:
    """The mean correlation of a score with metrics that is published to be none, over settings."""

    def make(some: Tables) -> Line:
        pairs = [(runs, score, m) for runs in some for m in metrics if _varies(runs, score, m)]
        settings = sorted({setting for runs, _, _ in pairs for setting in runs["setting"]})
        found = jackknife_interval(partial(jackknifed.mean_rho, pairs), settings)
        return equivalence(of, found, base=1.0, unit="setting")

    return _correlate_twice(make, tables)


def _varies(runs: pd.DataFrame, first: str, second: str) -> bool:
    """Whether the runs have both columns and a defined correlation between them."""
    return {first, second} <= set(runs) and bool(np.isfinite(rank(runs[first], runs[second]).mean))
