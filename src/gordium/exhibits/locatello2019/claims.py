"""What the tables, figures and Theorem 1 of Locatello et al. 2019 claim."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from operator import itemgetter

import numpy as np
import pandas as pd

from gordium.exhibits.locatello2019.jackknifed import (
    Cube,
    cube,
    fit_share,
    mean_agreement,
    pivot_runs,
    transfer_shares,
)
from gordium.exhibits.locatello2019.names import DATA, METRICS, SCORES
from gordium.exhibits.published import read_published
from gordium.report.statistics.claims import (
    Claim,
    Line,
    direction,
    identity,
    paired_direction,
    quantity_of,
    rank_direction,
)
from gordium.report.statistics.correlation import Rank, rank
from gordium.report.statistics.student import Estimate, jackknife_interval
from gordium.report.statistics.transfer import settings_agreement

APART = "Modularity"
DRAWN = "drawn images in place of the published ones"
STEADY = 0.5
TASKS = {"downstream": "", "downstream_logistic": ", logistic"}
Number = Callable[[Sequence[int]], float]  # of some seeds


def theorem1(frame: pd.DataFrame) -> list[Claim]:
    """What Theorem 1 claims."""
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
    """From the least to the greatest strength at one seed, the mean over methods."""
    kinds = {
        "total_correlation": ("sampled", "falls", -1),
        "gaussian_total_correlation": ("mean", "rises", 1),
    }
    claims = []
    for metric, (codes, word, sign) in kinds.items():
        used = frame[(frame["metric"] == metric) & (frame["method"] != "annealed-vae")]
        lines = [
            paired_direction(str(data), *_ends(group), sign)
            for data, group in used.groupby("dataset", sort=False)
        ]
        text = f"the total correlation of {codes} codes {word} with the strength, nats"
        claims.append(Claim(text, tuple(lines)))
    return claims


def _ends(group: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    table = group.pivot_table(index="seed", columns=["method", "strength"], values="value").dropna()
    methods = table.columns.get_level_values(0).unique()
    least = [table[m].iloc[:, 0] for m in methods]
    most = [table[m].iloc[:, -1] for m in methods]
    return sum(least) / len(least), sum(most) / len(most)


def figure2(frame: pd.DataFrame) -> list[Claim]:
    """Rank correlations of metrics over all runs; that of Modularity by seeds left out."""
    pairs: list[Line] = []
    apart: list[Line] = []
    for data, runs in pivot_runs(frame):
        others = [m for m in METRICS if m != APART]
        pairs += [
            rank_direction(f"{data}, {a} and {b}", rank(runs[a], runs[b]), 1)
            for a, b in combinations(others, 2)
        ]
        means = {m: mean_agreement(runs, m) for m in METRICS}
        next_least = min(others, key=lambda m: means[m])
        apart.append(_compare_modularity(data, runs, next_least))
    return [
        Claim("all metrics but Modularity are correlated with each other", tuple(pairs)),
        Claim("Modularity agrees least with the others, difference of mean rho", tuple(apart)),
    ]


def _compare_modularity(data: str, runs: pd.DataFrame, other: str) -> Line:
    """Modularity's mean rho minus that of the metric which agrees least of the others."""

    def gap(seeds: Sequence[int]) -> float:
        some = runs[runs["seed"].isin(list(seeds))]
        return mean_agreement(some, APART) - mean_agreement(some, other)

    found = jackknife_interval(gap, sorted(set(runs["seed"])))
    return direction(f"{data}, against {other}", found, -1)


def variance_explained(frame: pd.DataFrame) -> list[Claim]:
    """Shares by seeds left out; corrected for the number of cells, but beside published ones."""
    theirs = read_published("locatello2019-variance-explained")
    gained, left, small, numbers = [], [], [], []
    for data, group in frame.groupby("dataset", sort=False):
        for name, metric in METRICS.items():
            values = cube(group, metric)
            of, one, both = f"{data}, {name}", _share(values, False), _share(values, True)
            if not np.isfinite(one(values.seeds)):
                continue
            gained.append(_direction(of, values.seeds, _subtract(both, one)))
            left.append(_direction(of, values.seeds, _subtract(lambda _: 0.9, both)))
            small.append(_direction(of, values.seeds, _subtract(lambda _: 0.5, one)))
            note = DRAWN if str(data).endswith("-like") else ""
            for part, crossed in (("objective", False), ("objective x strength", True)):
                share = _share(values, crossed, corrected=False)
                numbers.append(
                    quantity_of(
                        f"{of}, {part}", jackknife_interval(share, values.seeds),
                        theirs[part][DATA[str(data)]][name] / 100, note=note,
                    )
                )  # fmt: skip
    return [
        Claim("the strength explains variance beyond the objective, share", tuple(gained)),
        Claim("the seed matters: over a tenth of the variance is left", tuple(left)),
        Claim("the objective explains less than half of the variance", tuple(small)),
        Claim("shares of explained variance are the published ones", tuple(numbers)),
    ]


def _share(values: Cube, crossed: bool, *, corrected: bool = True) -> Number:
    return lambda seeds: fit_share(values, seeds, crossed=crossed, corrected=corrected)


def _subtract(first: Number, second: Number) -> Number:
    return lambda seeds: first(seeds) - second(seeds)


def _direction(of: str, seeds: Sequence[int], number: Number) -> Line:
    return direction(of, jackknife_interval(number, seeds), 1)


def model_selection(frame: pd.DataFrame) -> list[Claim]:
    """Chances of transferred settings by seeds left out, and scores that need no labels."""
    theirs = read_published("locatello2019-model-selection")
    same, data, _, both = cases = tuple(transfer_shares(frame, None))
    seeds = sorted(set(frame["seed"]))
    n = frame[["method", "strength"]].drop_duplicates().shape[0]
    luck = (n + 1) / (2 * n)

    def found(number: Callable[[dict[str, float]], float]) -> Estimate:
        return jackknife_interval(lambda some: number(transfer_shares(frame, some)), seeds)

    ladder = [
        (f"{same} against luck", found(lambda c: c[same] - luck), 1),
        (f"{data} against the same one", found(lambda c: c[data] - c[same]), -1),
        (f"{both} against {data}", found(lambda c: c[both] - c[data]), -1),
    ]
    numbers = [
        quantity_of(case, found(itemgetter(case)), theirs[case] / 100)
        for case in cases
        if case in theirs
    ]
    steady = _judge_unsteady(frame, SCORES, "score")
    return [
        Claim(
            "good settings help at another seed, less on another data set, least on another "
            "metric too",
            tuple(direction(text, estimate, sign) for text, estimate, sign in ladder),
        ),
        Claim("chances of transferred settings are the published ones", tuple(numbers)),
        Claim(
            "settings that do well on dSprites do well on Color-dSprites, rank correlation",
            tuple(_across(frame)),
            rule_date="2026-11-17",
        ),
        Claim(
            "no score without labels is correlated with all metrics on all data sets, rho - 0.5",
            tuple(steady),
        ),
    ]


def _across(frame: pd.DataFrame) -> list[Line]:
    """The one pair of data sets that is said to agree, by metric; the unit is the setting."""
    ranks = {
        name: settings_agreement(frame, "dsprites", "color-dsprites", metric)
        for name, metric in METRICS.items()
    }
    return [
        rank_direction(name, found, 1, unit="setting") for name, found in ranks.items() if found.n
    ]


def downstream(frame: pd.DataFrame) -> list[Claim]:
    """What key result 5 claims."""
    lines = [
        rank_direction(f"{data}, {metric}{by}", rank(runs[task], runs[metric]), 1)
        for data, runs in pivot_runs(frame)
        for task, by in TASKS.items()
        for metric in METRICS
        if metric != APART and task in runs
    ]
    rarely = _judge_unsteady(frame, tuple(METRICS), "downstream.efficiency")
    return [
        Claim("metrics but Modularity go with the accuracy of a later task", tuple(lines)),
        Claim(
            "no metric goes with the efficiency of a later task on all data sets, rho - 0.5",
            tuple(rarely),
        ),
    ]


def _judge_unsteady(frame: pd.DataFrame, names: Sequence[str], against: str) -> list[Line]:
    """For each name the correlation that is furthest from being strong throughout.

    `against` is the column to correlate with, or "score" for all metrics. The least of many
    correlations is small by chance: its interval and p-value are Bonferroni's for all of them.
    """
    found = []
    for name in names:
        others = list(METRICS) if against == "score" else [against]
        cells = {
            (data, other): (runs[name], runs[other])
            for data, runs in pivot_runs(frame)
            for other in others
            if name in runs and other in runs
        }
        level = 1 - 0.05 / max(1, len(cells))
        ranks = {key: rank(*columns, level=level) for key, columns in cells.items()}
        known = {key: r for key, r in ranks.items() if np.isfinite(r.low)}
        if known:
            found.append(_find_weakest(name, known))
    return found


def _find_weakest(name: str, ranks: dict[tuple[str, str], Rank]) -> Line:
    """Whichever sign suits the name best, the correlation that is weakest with that sign."""
    most = max((1, -1), key=lambda sign: min(sign * r.rho for r in ranks.values()))
    (data, other), worst = min(ranks.items(), key=lambda item: most * item[1].rho)
    ends = sorted((most * worst.low, most * worst.high))
    p = min(1.0, worst.p_value(most * STEADY) * len(ranks))
    line = rank_direction(f"{name}: {data}, {other}", worst, -1)
    return replace(
        line, estimate=most * worst.rho - STEADY, low=ends[0] - STEADY, high=ends[1] - STEADY, p=p
    )
