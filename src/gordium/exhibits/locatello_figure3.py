"""Figure 3 of Locatello et al. 2019: FactorVAE scores by method, and by strength."""

import pandas as pd

from gordium.exhibits.base import Effect, Made, Place
from gordium.exhibits.locatello_study import STUDY, datasets, notes
from gordium.exhibits.studies import Studied, studied
from gordium.report import sweeps

METRIC, METHOD = "factor_vae_score", "factor-vae"
HEAD = ("data", "group", "runs", "least", "median", "greatest")


def make(place: Place) -> Made:
    return made(studied(place, STUDY))


def made(found: Studied) -> Made:
    body, effects, pictures = [], [], {}
    for data, group in datasets(found):
        used = group[(group["metric"] == METRIC) & group["value"].notna()]
        if used.empty:
            continue
        method = strengths_of(used)
        panels = {
            f"{data}: each method": _by(used, "method"),
            f"{data}: {method} by strength": _by(used[used["method"] == method], "strength"),
        }
        pictures[f"{data}.png"] = sweeps.distributions(panels)
        for title, panel in panels.items():
            body += [(title, *_line(name, values)) for name, values in panel.items()]
        effects += [_overlap(data, panels), _luck(data, method, panels)]
    text = (
        "The left of the paper's figure is over hyperparameters and seeds, the right over seeds. "
        "At a scale without FactorVAE runs another method stands in on the right."
    )
    rows = found.rows([METRIC])
    return Made(HEAD, body, rows, effects, pictures, [*notes(found, "Cars3D"), text])


def strengths_of(used: pd.DataFrame) -> str:
    """The FactorVAE, or else the method with the most strengths."""
    counts = used.groupby("method")["strength"].nunique()
    return METHOD if METHOD in counts else str(counts.idxmax())


def _by(used: pd.DataFrame, column: str) -> dict[str, pd.Series]:
    groups = used.groupby(column, sort=column == "strength")["value"]
    return {f"{name:g}" if column == "strength" else str(name): values for name, values in groups}


def _line(name: str, values: pd.Series) -> tuple[str, ...]:
    numbers = (values.min(), values.median(), values.max())
    return (name, str(len(values)), *(f"{number:.3f}" for number in numbers))


def _overlap(data: str, panels: dict[str, dict[str, pd.Series]]) -> Effect:
    """Heavily overlapping: each method has a run that reaches the best median.

    It need not lie above it: where the median is the greatest possible score, none can.
    """
    methods = next(iter(panels.values()))
    best = max(methods, key=lambda name: methods[name].median())
    top = methods[best].median()
    others = [name for name in methods if name != best]
    reach = [name for name in others if methods[name].max() >= top]
    return Effect(
        f"{data}: the scores of all methods overlap",
        bool(others) and len(reach) == len(others),
        f"{len(reach)} of {len(others)} other methods have a run that reaches the median of "
        f"{best}, {top:.3f}",
    )


def _luck(data: str, method: str, panels: dict[str, dict[str, pd.Series]]) -> Effect:
    groups = list(panels.values())[1]
    best = max(groups, key=lambda name: groups[name].mean())
    worst = min(groups, key=lambda name: groups[name].mean())
    good, bad = groups[worst].max(), groups[best].min()
    return Effect(
        f"{data}: a good run of {method} at a bad strength beats a bad run at a good one",
        best != worst and bool(good > bad),
        f"best run at {worst}: {good:.3f}; worst run at {best}: {bad:.3f}",
    )
