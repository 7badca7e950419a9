"""Figure 1 of Locatello et al. 2019: total correlation of sampled and of mean codes."""

import numpy as np
import pandas as pd

from gordium.exhibits.base import Exhibit, Made
from gordium.exhibits.locatello2019 import claims
from gordium.exhibits.locatello2019.study import notes, show_study
from gordium.exhibits.studies import Studied
from gordium.report.figures import sweeps
from gordium.report.statistics.difference import paired_difference
from gordium.report.statistics.seeds import seed_summary

SAMPLED, MEAN = "total_correlation", "gaussian_total_correlation"
TITLES = {SAMPLED: "sampled codes", MEAN: "mean codes"}
LEFT_OUT = "annealed-vae"  # as in the paper's figure, since more capacity is less regularisation
HEAD = ("data", "method", "codes", "least strength", "greatest strength", "change, 95 % interval")


def show(found: Studied) -> Made:
    """Make the exhibit from rows alone."""
    frame = found.usable
    frame = frame[frame["metric"].isin(TITLES) & (frame["method"] != LEFT_OUT)]
    body = []
    for (data, method, metric), group in frame.groupby(["dataset", "method", "metric"], sort=False):
        low, high = ends(group)
        change = _say_change(low, high)
        body.append((data, method, TITLES[metric], _mean(low), _mean(high), change))
    pictures = {
        f"{data}.png": _picture(group)
        for data, group in frame.groupby("dataset", sort=False)
        if group["strength"].nunique() > 1
    }
    return Made(
        HEAD,
        body,
        found.rows(TITLES),
        pictures,
        [
            *notes(found, "Color-dSprites"),
            "Total correlation of a Gaussian fitted to the codes, in nats. A change is from the "
            "least to the greatest strength of a method at the same seed; verdicts are of its mean "
            "over all methods but the AnnealedVAE, whose strength is a capacity.",
        ],
    )


def ends(group: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """The values at the least and at the greatest strength, of the seeds that have both."""
    table = group.pivot_table(index="seed", columns="strength", values="value")
    both = table.iloc[:, [0, -1]].dropna()
    return both.iloc[:, 0], both.iloc[:, 1]


def _mean(values: pd.Series) -> str:
    return f"{values.mean():.3f}" if len(values) else "–"


def _say_change(low: pd.Series, high: pd.Series) -> str:
    if not len(low):
        return "–"
    found = paired_difference(low, high)
    ends = f" [{found.low:+.3f}, {found.high:+.3f}]" if np.isfinite(found.low) else ""
    return f"{found.mean:+.3f}{ends}"


def _picture(group: pd.DataFrame) -> bytes:
    """A panel for each method over its strengths, a line for each kind of codes."""
    panels = {
        method: {
            TITLES[m]: lines[lines["metric"] == m] for m in TITLES if m in set(lines["metric"])
        }
        for method, lines in seed_summary(group).sort_values("strength").groupby("method")
    }
    label, x = "total correlation, nats", "strength"
    return sweeps.line_searches(panels, along=x, label=label, x_label=x, limits=(0.0, np.inf))


figure1 = Exhibit(
    "Figure 1",
    "Total correlation of sampled and mean codes over strength",
    show_study(show),
    claims.figure1,
)
