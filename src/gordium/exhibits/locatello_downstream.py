"""Key result 5 of Locatello et al. 2019: are disentangled codes more useful later?"""

import numpy as np
import pandas as pd

from gordium.exhibits.base import Effect, Made, Place
from gordium.exhibits.locatello_study import METRICS, STUDY, by_metric, datasets, notes
from gordium.exhibits.ranks import Rank, rank
from gordium.exhibits.studies import Studied, studied
from gordium.report import charts

ACCURACY, EFFICIENCY = "downstream", "downstream.efficiency"
TITLES = {ACCURACY: "accuracy", EFFICIENCY: "efficiency"}
HEAD = ("data", "score", "metric", "rho, 95 % interval", "runs")
STRONG = 0.5


def make(place: Place) -> Made:
    return made(studied(place, STUDY))


def made(found: Studied) -> Made:
    body: list[tuple[str, ...]] = []
    effects, pictures = [], {}
    for data, group in datasets(found):
        runs = by_metric(group)
        table = agreements(runs)
        body += [(data, TITLES[s], m, str(line), str(line.n)) for (s, m), line in table.items()]
        effects += _effects(data, table)
        pictures[f"{data}.png"] = _heatmap(table)
        if {EFFICIENCY, "factor_vae_score"} <= set(runs):
            points = {
                str(name): (some["factor_vae_score"], some[EFFICIENCY])
                for name, some in runs.groupby("method", sort=False)
            }
            pictures[f"{data}-efficiency.png"] = charts.scatter(
                points, x_label="FactorVAE score", y_label="efficiency"
            )
    text = (
        "Accuracy is that of boosted trees which predict the factors from all codes, at the "
        "greatest size; efficiency is the accuracy after 100 samples over it. The greatest size is "
        "10,000, or two thirds of the scored images where those are fewer. Published: rank "
        "correlations on dSprites (Figures 5 and 6), printed in figures only."
    )
    rows = found.rows((*METRICS.values(), ACCURACY, EFFICIENCY))
    return Made(HEAD, body, rows, effects, pictures, [*notes(found, "dSprites"), text])


def agreements(runs: pd.DataFrame) -> dict[tuple[str, str], Rank]:
    return {
        (score, metric): rank(runs[score], runs[ours])
        for score in TITLES
        for metric, ours in METRICS.items()
        if score in runs and ours in runs
    }


def _effects(data: str, table: dict[tuple[str, str], Rank]) -> list[Effect]:
    better = {m: line for (s, m), line in table.items() if s == ACCURACY and m != "Modularity"}
    sooner = {m: line for (s, m), line in table.items() if s == EFFICIENCY}
    up = [m for m, line in better.items() if line.low > 0]
    reliable = [m for m, line in sooner.items() if line.low > 0 and line.rho > STRONG]
    defined = [m for m, line in sooner.items() if np.isfinite(line.rho)]
    return [
        Effect(
            f"{data}: metrics but Modularity are correlated with the accuracy of a later task",
            bool(better) and len(up) == len(better),
            f"{len(up)} of {len(better)}: {_shown(better)}",
        ),
        Effect(
            f"{data}: higher scores do not reliably mean fewer samples",
            bool(defined) and 2 * len(reliable) < len(sooner),
            f"{len(reliable)} of {len(sooner)} metrics have rho above {STRONG:g} with efficiency: "
            f"{_shown(sooner)}",
        ),
    ]


def _shown(lines: dict[str, Rank]) -> str:
    return ", ".join(f"{metric} {line}" for metric, line in lines.items())


def _heatmap(table: dict[tuple[str, str], Rank]) -> bytes:
    scores = list(dict.fromkeys(score for score, _ in table))
    metrics = list(dict.fromkeys(metric for _, metric in table))
    values = [[table[s, m].rho for m in metrics] for s in scores]
    return charts.heatmap(values, [TITLES[s] for s in scores], metrics)
