"""Figure 2 of Locatello et al. 2019: do the metrics order the models alike?"""

import pandas as pd

from gordium.exhibits.base import Exhibit, Made
from gordium.exhibits.locatello2019 import claims
from gordium.exhibits.locatello2019.names import METRICS
from gordium.exhibits.locatello2019.study import (
    correlate,
    datasets,
    notes,
    pivot_metrics,
    show_study,
)
from gordium.exhibits.studies import Studied
from gordium.report.figures import charts
from gordium.report.statistics.correlation import rank, say_rank
from gordium.report.statistics.student import Estimate


def show(found: Studied) -> Made:
    """Make the exhibit from rows alone."""
    tables = {name: correlations(pivot_metrics(group)) for name, group in datasets(found)}
    body = [
        (data, a, *(say_rank(table[a, b]) if a != b else "1" for b in METRICS))
        for data, table in tables.items()
        for a in METRICS
    ]
    pictures = {
        f"{data}.png": charts.heatmap(
            [[1.0 if a == b else table[a, b].mean for b in METRICS] for a in METRICS],
            list(METRICS),
            list(METRICS),
        )
        for data, table in tables.items()
    }
    text = (
        "Spearman's rho over all runs of a data set, with Fisher's 95 % interval as if all runs "
        "were independent; verdicts have intervals over settings. The paper prints its numbers in "
        "a figure only."
    )
    head = ("data", "metric", *METRICS)
    rows = found.rows(METRICS.values())
    return Made(head, body, rows, pictures, [*notes(found, "Noisy-dSprites"), text])


def correlations(runs: pd.DataFrame) -> dict[tuple[str, str], Estimate]:
    """The rank correlation of every pair of metrics; it is undefined where no run has both."""
    found = correlate(runs, METRICS.values())
    return {(a, b): found.get((METRICS[a], b), rank([], [])) for a in METRICS for b in METRICS}


figure2 = Exhibit("Figure 2", "Rank correlation between metrics", show_study(show), claims.figure2)
