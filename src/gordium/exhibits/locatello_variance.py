"""Tables (a) and (b) of Locatello et al. 2019: what explains the variance of a score?"""

import pandas as pd

from gordium.exhibits.base import Effect, Made, Place
from gordium.exhibits.locatello_study import DATA, METRICS, STUDY, kept, notes
from gordium.exhibits.published import published
from gordium.exhibits.studies import Studied, studied
from gordium.report import charts
from gordium.report.variance import OBJECTIVE, OBJECTIVE_AND_STRENGTH, variance_explained

PARTS = {"objective": OBJECTIVE, "objective x strength": OBJECTIVE_AND_STRENGTH}
HEAD = ("data", "metric", "variable", "published", "here", "of pure noise", "runs")
Shares = dict[tuple[str, str, str], dict[str, float]]


def make(place: Place) -> Made:
    return made(studied(place, STUDY))


def made(found: Studied) -> Made:
    frame = kept(found)
    frame = frame[frame["metric"].isin(METRICS.values())]
    shares = explained(frame)
    data = list(dict.fromkeys(frame["dataset"]))
    theirs = published("locatello2019-variance-explained")
    body = [
        (
            name,
            metric,
            part,
            f"{number} %" if (number := theirs[part].get(DATA.get(name), {}).get(metric)) else "–",
            f"{100 * line['r2']:.0f} %",
            f"{100 * line['by_chance']:.0f} %",
            f"{line['n']:.0f}",
        )
        for name in data
        for metric in METRICS
        for part in PARTS
        if (line := shares.get((name, metric, part))) and line["r2"] == line["r2"]
    ]
    pictures = {
        f"{part.replace(' ', '-')}.png": charts.heatmap(
            [[_share(shares, name, m, part) for m in METRICS] for name in data],
            data,
            list(METRICS),
            percent=True,
        )
        for part in PARTS
    }
    text = (
        "R² of a least-squares fit to one categorical variable, as in the paper; the rest is due "
        "to the seed. Not corrected for the number of cells: 'of pure noise' is what as many "
        "cells explain of numbers that depend on nothing. Effects are of the corrected shares."
    )
    rows = found.rows(METRICS.values())
    effects = [effect for name in data for effect in _effects(name, shares)]
    return Made(HEAD, body, rows, effects, pictures, [*notes(found, "seven data sets"), text])


def explained(frame: pd.DataFrame) -> Shares:
    names = {ours: theirs for theirs, ours in METRICS.items()}
    return {
        (line["dataset"], names[line["metric"]], part): line
        for part, factors in PARTS.items()
        for line in variance_explained(frame, factors).to_dict("records")
    }


def _share(shares: Shares, data: str, metric: str, part: str, kind: str = "r2") -> float:
    return shares.get((data, metric, part), {}).get(kind, float("nan"))


def _effects(data: str, shares: Shares) -> list[Effect]:
    one, both = ({m: _share(shares, data, m, part, "adjusted") for m in METRICS} for part in PARTS)
    there = [m for m in METRICS if one[m] == one[m] and both[m] == both[m]]
    gained = [m for m in there if both[m] > one[m]]
    left = [m for m in there if both[m] < 0.9]
    small = [m for m in there if one[m] < 0.5]
    shown = ", ".join(f"{m} {100 * one[m]:.0f} and {100 * both[m]:.0f} %" for m in there)
    n = len(there)
    return [
        Effect(
            f"{data}: the strength explains more than the objective alone does, in all metrics",
            n > 0 and len(gained) == n,
            f"{len(gained)} of {n} metrics; {shown}",
        ),
        Effect(
            f"{data}: the seed matters: over a tenth is left unexplained in most metrics",
            n > 0 and 2 * len(left) > n,
            f"{len(left)} of {n} metrics",
        ),
        Effect(
            f"{data}: the objective explains less than half of the variance in most metrics",
            n > 0 and 2 * len(small) > n,
            f"{len(small)} of {n} metrics",
        ),
    ]
