"""Tables (a) and (b) of Locatello et al. 2019: what explains the variance of a score?"""

from math import nan

from gordium.exhibits.base import Exhibit, Made
from gordium.exhibits.locatello2019 import claims
from gordium.exhibits.locatello2019.names import DATA, METRICS
from gordium.exhibits.locatello2019.study import notes, show_study
from gordium.exhibits.published import Published, read_published
from gordium.exhibits.studies import Studied
from gordium.report.figures import charts
from gordium.report.statistics import variance

PARTS = {
    "objective": variance.OBJECTIVE,
    "objective x strength": variance.OBJECTIVE_AND_STRENGTH,
}
HEAD = ("data", "metric", "variable", "published", "here", "of pure noise", "runs")


def show(found: Studied) -> Made:
    """Make the exhibit from rows alone."""
    frame = found.usable
    frame = frame[frame["metric"].isin(METRICS.values())]
    shares = {
        (line.dataset, line.metric, part): line
        for part, factors in PARTS.items()
        for line in variance.variance_explained(frame, factors).itertuples()
        if line.r2 == line.r2
    }
    r2 = {key: line.r2 for key, line in shares.items()}
    data = list(dict.fromkeys(frame["dataset"]))
    theirs = read_published("locatello2019-variance-explained")
    body = [
        (
            name,
            metric,
            part,
            f"{number} %" if (number := _share(theirs, part, name, metric)) else "–",
            f"{100 * line.r2:.0f} %",
            f"{100 * line.by_chance:.0f} %",
            f"{line.n:.0f}",
        )
        for name in data
        for metric, ours in METRICS.items()
        for part in PARTS
        if (line := shares.get((name, ours, part)))
    ]
    pictures = {
        f"{part.replace(' ', '-')}.png": charts.heatmap(
            [[r2.get((name, ours, part), nan) for ours in METRICS.values()] for name in data],
            data,
            list(METRICS),
            percent=True,
            published=[
                [(_share(theirs, part, name, m) or nan) / 100 for m in METRICS] for name in data
            ],
        )
        for part in PARTS
    }
    text = (
        "R² of a least-squares fit to one categorical variable, as in the paper; the rest is due "
        "to the seed. Not corrected for the number of cells: 'of pure noise' is what as many "
        "cells explain of numbers that depend on nothing. Verdicts are of the corrected shares."
    )
    rows = found.rows(METRICS.values())
    return Made(HEAD, body, rows, pictures, [*notes(found, "seven data sets"), text])


def _share(theirs: Published, part: str, data: str, metric: str) -> float | None:
    """The published share in per cent, or None if the paper lacks the data set."""
    return theirs[part].get(DATA.get(data, ""), {}).get(metric)


variance_explained = Exhibit(
    "tables (a), (b)",
    "Variance of a score explained by method and strength",
    show_study(show),
    claims.variance_explained,
)
