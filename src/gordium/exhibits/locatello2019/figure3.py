"""Figure 3 of Locatello et al. 2019: FactorVAE scores by method, and by strength."""

import pandas as pd

from gordium.exhibits.base import Exhibit, Made
from gordium.exhibits.locatello2019.study import datasets, notes, show_study
from gordium.exhibits.studies import Studied
from gordium.report.figures import sweeps
from gordium.report.names import say_metric, sort_names

METRIC, METHOD = "factor_vae_score", "factor-vae"
HEAD = ("data", "group", "runs", "least", "median", "greatest")


def show(found: Studied) -> Made:
    """Make the exhibit from rows alone."""
    body, pictures = [], {}
    for data, group in datasets(found):
        used = group[(group["metric"] == METRIC) & group["value"].notna()]
        if used.empty:
            continue
        method = strengths_of(used)
        panels = {
            f"{data}: each method": _group(used, "method"),
            f"{data}: {method} by strength": _group(used[used["method"] == method], "strength"),
        }
        pictures[f"{data}.png"] = sweeps.distributions(panels, label=say_metric(METRIC))
        for title, panel in panels.items():
            body += [(title, *_line(name, values)) for name, values in panel.items()]
    text = (
        "The left of the paper's figure is over hyperparameters and seeds, the right over seeds. "
        "At a scale without FactorVAE runs another method stands in on the right."
    )
    rows = found.rows([METRIC])
    return Made(HEAD, body, rows, pictures, [*notes(found, "Cars3D"), text])


def strengths_of(used: pd.DataFrame) -> str:
    """The method that is shown by strength: the FactorVAE, or else that with most strengths."""
    counts = used.groupby("method")["strength"].nunique()
    return METHOD if METHOD in counts else str(counts.idxmax())


def _group(used: pd.DataFrame, column: str) -> dict[str, pd.Series]:
    groups = dict(iter(used.groupby(column)["value"]))
    if column == "strength":
        return {f"{strength:g}": values for strength, values in groups.items()}
    return {name: groups[name] for name in sort_names(map(str, groups))}


def _line(name: str, values: pd.Series) -> tuple[str, ...]:
    numbers = (values.min(), values.median(), values.max())
    return (name, str(len(values)), *(f"{number:.3f}" for number in numbers))


figure3 = Exhibit("Figure 3", "FactorVAE scores by method, and by strength", show_study(show))
