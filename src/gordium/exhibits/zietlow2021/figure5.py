"""Figures 5 and 7-9 of Zietlow et al. 2021: scores along the strength of the regulariser."""

import dataclasses
from typing import Any, NamedTuple

import pandas as pd

from gordium.exhibits.base import Exhibit, Made, Place
from gordium.exhibits.number_text import interval, mean_and_std
from gordium.exhibits.studies import Studied, complete_study, declare_study
from gordium.exhibits.zietlow2021 import figure_claims
from gordium.report.figures import sweeps
from gordium.report.statistics.sweeps import line_search
from gordium.study.arm import Arm
from gordium.study.data import MODIFIED, ORIGINAL
from gordium.study.study import Study

STUDY, DATA = "zietlow2021", "shapes3d"
METRICS = {"mig": "MIG", "dci": "DCI", "factor_vae_score": "FactorVAE score", "sap": "SAP"}
HEAD = ("method", "factor", "images", "metric", "here", "95 % interval", "runs", "over-pruned")


class Size(NamedTuple):
    """The methods, the factors that scale their strength, and how many seeds."""

    methods: tuple[str, ...]
    factors: tuple[float, ...]
    seeds: int


# The paper's factors are in a figure only; these are ours.
SIZES = {
    "smoke": Size(("beta-vae",), (0.1, 1.0), 1),
    "laptop": Size(("beta-vae",), (0.25, 0.5, 1.0, 2.0), 3),
    "paper": Size(
        ("beta-vae", "factor-vae", "beta-tcvae", "slow-vae"), (0.25, 0.5, 1.0, 2.0, 4.0), 10
    ),
}


def make(place: Place) -> Made:
    """Complete the study's part on Shapes3D at several strengths, and show it."""
    searching, defaults = vary_strength(declare_study(STUDY, place.scale), SIZES[place.scale])
    return show(complete_study(place, searching), defaults)


def vary_strength(study: Study, size: Size) -> tuple[Study, dict[str, float]]:
    """The part of the study on Shapes3D at scaled strengths, and each method's own strength.

    The runs at factor 1 are the study's own.
    """
    arms = [
        arm
        for arm in study.arms_on(DATA)
        if arm.method.name in size.methods and arm.strength is not None
    ]
    data = dataclasses.replace(study.data[DATA], variants=(ORIGINAL, MODIFIED))
    scaled = tuple(_scale(arm, factor) for arm in arms for factor in size.factors)
    part = dataclasses.replace(
        study, data={DATA: data}, arms=scaled, seeds=study.seeds[: size.seeds]
    )
    return part, {arm.method.name: float(arm.strength or 0) for arm in arms}


def show(found: Studied, defaults: dict[str, float]) -> Made:
    """Make the exhibit from rows alone."""
    frame = found.usable
    searches = {
        metric: line_search(frame, metric, defaults)
        for metric in METRICS
        if metric in set(frame["metric"])
    }
    body = [
        _line(metric, line) for metric, lines in searches.items() for line in lines.itertuples()
    ]
    pictures = {f"{m}.png": _picture(lines, METRICS[m]) for m, lines in searches.items()}
    notes = [
        found.note,
        f"{DATA} as in Table 1. Factor: strength over "
        + ", ".join(f"{value:g} for {name}" for name, value in defaults.items())
        + ". As in the paper, runs that over-pruned (fewer active units than factors) are left "
        "out, and counted.",
    ]
    return Made(HEAD, body, found.rows(METRICS), pictures, notes)


def _scale(arm: Arm, factor: float) -> Arm:
    method: Any = arm.method
    strength = {str(method.primary): factor * float(arm.strength or 0)}
    return dataclasses.replace(arm, method=dataclasses.replace(method, **strength), data=(DATA,))


def _line(metric: str, line: Any) -> tuple[str, ...]:
    return (
        line.method,
        f"{line.factor:g}",
        line.variant,
        METRICS[metric],
        mean_and_std(line.mean, line.std),
        interval(line.low, line.high),
        str(line.n),
        str(line.n_over_pruned),
    )


def _picture(lines: pd.DataFrame, label: str) -> bytes:
    panels = {
        method: dict(iter(own.groupby("variant", sort=False)))
        for method, own in lines.groupby("method", sort=False)
    }
    return sweeps.line_searches(
        panels, along="factor", label=label, x_label="factor of the default", limits=(0.0, 1.0)
    )


figure5 = Exhibit(
    "Figures 5 and 7-9", "Scores over the strength of the regulariser", make, figure_claims.figure5
)
