"""Figures 5 and 7-9 of Zietlow et al. 2021: scores along the strength of the regulariser."""

import dataclasses
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from gordium.exhibits.base import Effect, Made, Place
from gordium.exhibits.studies import Studied, declared_study, worked_off
from gordium.exhibits.verdicts import interval, mean_and_std, spoken
from gordium.report import sweeps
from gordium.report.difference import unpaired_difference
from gordium.report.line_search import line_search
from gordium.study.study import MODIFIED, ORIGINAL, Arm, Study

STUDY, DATA = "zietlow2021", "shapes3d"
METRICS = {"mig": "MIG", "dci": "DCI", "factor_vae_score": "FactorVAE score", "sap": "SAP"}
HEAD = ("method", "factor", "images", "metric", "here", "95 % interval", "runs", "over-pruned")


class Size(NamedTuple):
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
    study, declaration = declared_study(STUDY, place.scale)
    searching, defaults = along(study, SIZES[place.scale])
    declared = {**declaration, "line_search": SIZES[place.scale]._asdict()}
    return made(worked_off(place, searching, declared), defaults)


def along(study: Study, size: Size) -> tuple[Study, dict[str, float]]:
    """The part of the study on Shapes3D with its strengths scaled, and the strengths unscaled.

    Its runs at the factor 1 are the study's own.
    """
    arms = [
        arm
        for arm in study.arms_on(DATA)
        if _name(arm, study) in size.methods and arm.strength is not None
    ]
    data = dataclasses.replace(study.data[DATA], variants=(ORIGINAL, MODIFIED))
    scaled = tuple(_scaled(arm, factor) for arm in arms for factor in size.factors)
    part = dataclasses.replace(
        study, data={DATA: data}, arms=scaled, seeds=study.seeds[: size.seeds]
    )
    return part, {_name(arm, study): float(arm.strength or 0) for arm in arms}


def made(found: Studied, defaults: dict[str, float]) -> Made:
    frame = found.frame[~found.frame["failed"]]
    searches = {
        metric: line_search(frame, metric, defaults)
        for metric in METRICS
        if metric in set(frame["metric"])
    }
    body = [_line(metric, line) for metric, lines in searches.items() for line in _records(lines)]
    effects = [
        effect
        for metric in searches
        for method in defaults
        for effect in _effects(frame, method, metric)
    ]
    pictures = {f"{m}.png": _picture(lines, METRICS[m]) for m, lines in searches.items()}
    notes = [
        found.note,
        f"{DATA} as in Table 1. Factor: strength over "
        + ", ".join(f"{value:g} for {name}" for name, value in defaults.items())
        + ". As in the paper, runs that over-pruned (fewer active units than factors) are left "
        "out, and counted. Retuned: the best mean over the factors on each kind of images, "
        "compared by Welch's interval.",
    ]
    return Made(HEAD, body, found.rows(METRICS), effects, pictures, notes)


def _name(arm: Arm, study: Study) -> str:
    return str(arm.on(study.data[DATA].dataset, 0)["method"]["name"])


def _scaled(arm: Arm, factor: float) -> Arm:
    method: Any = arm.method
    strength = {str(method.primary): factor * float(arm.strength or 0)}
    return dataclasses.replace(arm, method=dataclasses.replace(method, **strength), data=(DATA,))


def _records(lines: pd.DataFrame) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = lines.to_dict("records")
    return records


def _line(metric: str, line: dict[str, Any]) -> tuple[str, ...]:
    return (
        line["method"],
        f"{line['factor']:g}",
        line["variant"],
        METRICS[metric],
        mean_and_std(line) if line["n"] else "–",
        interval(line["low"], line["high"]),
        str(line["n"]),
        str(line["n_over_pruned"]),
    )


def _effects(frame: pd.DataFrame, method: str, metric: str) -> list[Effect]:
    """Whether retuning the strength makes up for the change of the images."""
    text = f"{METRICS[metric]} of {method} on modified images stays lower when retuned"
    used = frame[(frame["method"] == method) & (frame["metric"] == metric)]
    used = used[~used["over_pruned"] & np.isfinite(used["value"])]
    best = [_best(used[used["variant"] == variant]) for variant in (ORIGINAL, MODIFIED)]
    if any(values is None for values in best):
        return [Effect(text, False, "no run on both kinds of images is left")]
    found = unpaired_difference(best[0], best[1])  # type: ignore[arg-type]
    return [Effect(text, bool(found.high < 0), spoken(found))]


def _best(used: pd.DataFrame) -> pd.Series | None:
    """The values at the strength with the highest mean."""
    groups = {strength: values for strength, values in used.groupby("strength")["value"]}
    return max(groups.values(), key=lambda values: values.mean()) if groups else None


def _picture(lines: pd.DataFrame, label: str) -> bytes:
    panels: dict[str, dict[str, sweeps.Search]] = {}
    for (method, variant), line in lines.groupby(["method", "variant"], sort=False):
        panels.setdefault(method, {})[variant] = sweeps.Search(
            line["factor"], line["mean"], line["low"], line["high"],
            line["n"].tolist(), line["n_discarded"].tolist(),
        )  # fmt: skip
    return sweeps.line_searches(panels, label=label)
