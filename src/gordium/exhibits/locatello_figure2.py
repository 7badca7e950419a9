"""Figure 2 of Locatello et al. 2019: do the metrics order the models alike?"""

from itertools import combinations

import pandas as pd

from gordium.exhibits.base import Effect, Made, Place
from gordium.exhibits.locatello_study import METRICS, STUDY, by_metric, datasets, notes
from gordium.exhibits.ranks import Rank, rank
from gordium.exhibits.studies import Studied, studied
from gordium.report import charts

STRONG = 0.5
PAIRS = (("BetaVAE", "FactorVAE"), ("MIG", "DCI"))
APART = "Modularity"


def make(place: Place) -> Made:
    return made(studied(place, STUDY))


def made(found: Studied) -> Made:
    tables = {name: correlations(by_metric(group)) for name, group in datasets(found)}
    body = [
        (data, a, *(str(table[a, b]) if a != b else "1" for b in METRICS))
        for data, table in tables.items()
        for a in METRICS
    ]
    pictures = {
        f"{data}.png": charts.heatmap(
            [[1.0 if a == b else table[a, b].rho for b in METRICS] for a in METRICS],
            list(METRICS),
            list(METRICS),
        )
        for data, table in tables.items()
    }
    effects = [effect for data, table in tables.items() for effect in _effects(data, table)]
    text = (
        "Spearman's rho over all runs of a data set, with its 95 % bootstrap interval over runs. "
        f"Strong: rho above {STRONG:g} with an interval above 0 (the paper's word; it prints its "
        "numbers in a figure only)."
    )
    head = ("data", "metric", *METRICS)
    rows = found.rows(METRICS.values())
    return Made(head, body, rows, effects, pictures, [*notes(found, "Noisy-dSprites"), text])


def correlations(table: pd.DataFrame) -> dict[tuple[str, str], Rank]:
    """Of every pair of metrics, both ways; metrics that no run has are undefined."""
    found: dict[tuple[str, str], Rank] = {}
    for a, b in combinations(METRICS, 2):
        columns = [table.get(METRICS[name], pd.Series(dtype=float)) for name in (a, b)]
        both = rank(*columns) if all(len(c) for c in columns) else rank([], [])
        found[a, b] = found[b, a] = both
    return found


def _effects(data: str, table: dict[tuple[str, str], Rank]) -> list[Effect]:
    strong = [
        Effect(
            f"{data}: {a} and {b} are strongly correlated",
            table[a, b].rho > STRONG and table[a, b].low > 0,
            f"rho {table[a, b]} over {table[a, b].n} runs",
        )
        for a, b in PAIRS
    ]
    others = [(a, b) for a, b in combinations(METRICS, 2) if APART not in (a, b)]
    positive = [pair for pair in others if table[pair].low > 0]
    negative = ", ".join(f"{a} and {b} {table[a, b]}" for a, b in others if (a, b) not in positive)
    apart = [table[a, APART].rho for a in METRICS if a != APART]
    rest = [table[pair].rho for pair in others]
    lower = sum(apart) / len(apart) < sum(rest) / len(rest)
    return [
        *strong,
        Effect(
            f"{data}: all metrics but Modularity are correlated with each other",
            len(positive) == len(others),
            f"{len(positive)} of {len(others)} pairs have an interval above 0"
            + (f"; not {negative}" if negative else ""),
        ),
        Effect(
            f"{data}: Modularity agrees least",
            lower,
            f"mean rho {sum(apart) / len(apart):+.2f} with the others, which have "
            f"{sum(rest) / len(rest):+.2f} among themselves",
        ),
    ]
