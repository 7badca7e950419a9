"""Key result 4 of Locatello et al. 2019: can models be chosen without labels?"""

from typing import Any

import numpy as np
import pandas as pd

from gordium.exhibits.base import Effect, Made, Place
from gordium.exhibits.locatello_study import METRICS, STUDY, by_metric, datasets, kept, notes
from gordium.exhibits.published import published
from gordium.exhibits.ranks import Rank, rank
from gordium.exhibits.studies import Studied, studied
from gordium.report import charts
from gordium.report.transfer import CASES, transfer

SCORES = ("reconstruction", "kl", "elbo", "total_correlation")
STEADY = 0.5
HEAD = ("what", "published", "here", "trials or runs")


def make(place: Place) -> Made:
    return made(studied(place, STUDY))


def made(found: Studied) -> Made:
    frame = kept(found)
    chance = transfer(frame[frame["metric"].isin(METRICS.values())])
    theirs = published("locatello2019-model-selection")
    body = [_line(case, theirs, chance.chance[case], chance.comparisons[case]) for case in CASES]
    tables = {name: agreements(by_metric(group)) for name, group in datasets(found)}
    body += [
        (f"{name}: rho of {score} with {metric}", "–", str(line), str(line.n))
        for name, table in tables.items()
        for (score, metric), line in table.items()
    ]
    pictures = {f"{name}.png": _heatmap(table) for name, table in tables.items()}
    possible = {case: value for case, value in chance.chance.items() if np.isfinite(value)}
    if possible:
        shares = {case: theirs[case] / 100 for case in possible if case in theirs}
        pictures["transfer.png"] = charts.chances(possible, published=shares)
    n = frame[["method", "strength"]].drop_duplicates().shape[0]
    text = (
        "Chance that the best setting at one seed does at least as well as a random one at "
        f"another, over all such trials; of pure noise it is {100 * (n + 1) / (2 * n):.1f} % with "
        f"{n} settings. rho is Spearman's over all runs of a data set, with a 95 % bootstrap "
        "interval. Reconstruction is a loss at the end of the training; total correlation is of "
        "sampled codes."
    )
    return Made(
        HEAD,
        body,
        found.rows((*METRICS.values(), *SCORES)),
        [*transfer_effects(chance.chance, n), _unsteady(tables)],
        pictures,
        [*notes(found, "seven data sets"), text],
    )


def agreements(table: pd.DataFrame) -> dict[tuple[str, str], Rank]:
    """Each score that needs no labels against each metric, where runs have both."""
    return {
        (score, metric): rank(table[score], table[ours])
        for score in SCORES
        for metric, ours in METRICS.items()
        if score in table and ours in table
    }


def transfer_effects(chance: dict[str, float], n_settings: int) -> list[Effect]:
    same, data, _, both = (chance[case] for case in CASES)
    even = (n_settings + 1) / (2 * n_settings)
    return [
        Effect(
            "on the same metric and data set the best setting does better than a random one",
            same > even,
            f"{_percent(same)}; {_percent(even)} would be luck",
        ),
        Effect(
            "less of that is left on another data set",
            data < same,
            f"{_percent(same)} on the same, {_percent(data)} on another",
        ),
        Effect(
            "least is left on another metric and another data set",
            both < min(same, data),
            f"{_percent(both)}",
        ),
    ]


def _unsteady(tables: dict[str, dict[tuple[str, str], Rank]]) -> Effect:
    """No score may be strongly correlated, with one sign, with all metrics on all data sets."""
    steady, shown = [], []
    for score in SCORES:
        values = [line.rho for t in tables.values() for (s, _), line in t.items() if s == score]
        values = [value for value in values if np.isfinite(value)]
        if not values:
            continue
        shown.append(f"{score} {min(values):+.2f} to {max(values):+.2f}")
        if min(values) > STEADY or max(values) < -STEADY:
            steady.append(score)
    return Effect(
        "no score that needs no labels is correlated with the metrics throughout",
        bool(shown) and not steady,
        f"rho over metrics and data sets: {', '.join(shown)}; above {STEADY:g} throughout: "
        f"{', '.join(steady) or 'none'}",
    )


def _line(case: str, theirs: dict[str, Any], share: float, n: int) -> tuple[str, ...]:
    number = f"{theirs[case]} %" if case in theirs else "–"
    return (f"transfer: {case}", number, _percent(share), str(n))


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %" if np.isfinite(share) else "–"


def _heatmap(table: dict[tuple[str, str], Rank]) -> bytes:
    scores = list(dict.fromkeys(score for score, _ in table))
    metrics = list(dict.fromkeys(metric for _, metric in table))
    return charts.heatmap([[table[s, m].rho for m in metrics] for s in scores], scores, metrics)
