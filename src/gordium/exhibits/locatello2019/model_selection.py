"""Key result 4 of Locatello et al. 2019: can models be chosen without labels?"""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from gordium.exhibits.base import Exhibit, Made
from gordium.exhibits.locatello2019 import claims, study
from gordium.exhibits.locatello2019.names import METRICS, SCORES
from gordium.exhibits.published import read_published
from gordium.exhibits.studies import Studied
from gordium.report.figures import charts
from gordium.report.names import say_metric
from gordium.report.pages.cells import percent
from gordium.report.statistics.correlation import say_rank
from gordium.report.statistics.transfer import CASES, settings_agreement, transfer

HEAD = ("what", "published", "here", "trials or runs")


def show(found: Studied) -> Made:
    """Make the exhibit from rows alone."""
    frame = found.usable
    chance = transfer(frame[frame["metric"].isin(METRICS.values())])
    theirs = read_published("locatello2019-model-selection")
    body = [_line(case, theirs, chance.chance[case], chance.comparisons[case]) for case in CASES]
    tables = {
        name: study.correlate(study.pivot_metrics(group), SCORES)
        for name, group in study.datasets(found)
    }
    body += [
        (f"{name}: rho of {score} with {metric}", "–", say_rank(line), str(line.n))
        for name, table in tables.items()
        for (score, metric), line in table.items()
    ]
    body += _across(frame, list(tables))
    titles = {score: say_metric(score) for score in SCORES}
    pictures = {
        f"{name}.png": study.draw_correlations(table, titles) for name, table in tables.items()
    }
    possible = {case: value for case, value in chance.chance.items() if np.isfinite(value)}
    if possible:
        shares = {case: theirs[case] / 100 for case in possible if case in theirs}
        pictures["transfer.png"] = charts.chances(possible, published=shares)
    n = frame[["method", "strength"]].drop_duplicates().shape[0]
    text = (
        "Chance that the best setting at one seed does at least as well as a random one at "
        f"another, over all such trials; of pure noise it is {100 * (n + 1) / (2 * n):.1f} % with "
        f"{n} settings. rho is Spearman's over all runs of a data set, with Fisher's 95 % "
        "interval as if all runs were independent; verdicts have intervals over settings. "
        "Reconstruction is a loss at the end of the training; total correlation is of "
        "sampled codes. Settings: rho over methods with their strengths, of mean scores over "
        "seeds, between two data sets."
    )
    rows = found.rows((*METRICS.values(), *SCORES))
    return Made(HEAD, body, rows, pictures, [*study.notes(found, "seven data sets"), text])


def _across(frame: pd.DataFrame, names: list[str]) -> list[tuple[str, ...]]:
    """How settings agree between any two data sets, by metric."""
    lines = {
        f"settings, {first} and {second}: rho of {name}": settings_agreement(
            frame, first, second, metric
        )
        for first, second in combinations(names, 2)
        for name, metric in METRICS.items()
    }
    return [(text, "–", say_rank(line), str(line.n)) for text, line in lines.items()]


def _line(case: str, theirs: Mapping[str, float], share: float, n: int) -> tuple[str, ...]:
    number = f"{theirs[case]} %" if case in theirs else "–"
    return (f"transfer: {case}", number, percent(share), str(n))


model_selection = Exhibit(
    "key result 4",
    "Choosing models without labels, and transferring choices",
    study.show_study(show),
    claims.model_selection,
)
