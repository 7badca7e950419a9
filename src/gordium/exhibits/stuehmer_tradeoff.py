"""What Figures 5 and 6 of Stühmer et al. 2020 share: MIG against reconstruction over beta."""

import numpy as np
import pandas as pd

from gordium.exhibits.base import Effect
from gordium.exhibits.verdicts import spoken
from gordium.report import sweeps
from gordium.report.difference import unpaired_difference
from gordium.report.tradeoff import tradeoff

MIG, LOSS = "mig", "reconstruction"
HEAD = ("data", "method", "beta", "MIG", "reconstruction, nats", "runs")
TITLES = {
    "beta-vae": "β-VAE",
    "beta-tcvae": "β-TCVAE",
    "isa-vae": "ISA-VAE",
    "isa-tcvae": "ISA-TCVAE",
}
NOTE = (
    "MIG of posterior means, and reconstruction as minus the loss at the end of the training, so "
    "that larger is better; means ± standard errors. Better trade-off: at some beta the mean "
    "MIG is above the best of the other method's, and the reconstruction is no worse than there."
)


def points(frame: pd.DataFrame) -> pd.DataFrame:
    """Means and errors by data set, method and beta; x is minus the reconstruction loss."""
    found = tradeoff(frame, LOSS, MIG)
    return found.assign(x=-found["x"])


def body(found: pd.DataFrame) -> list[tuple[str, ...]]:
    return [
        (
            line["dataset"],
            line["method"],
            f"{line['strength']:g}",
            _with_error(line["y"], line["y_error"], 3),
            _with_error(line["x"], line["x_error"], 1),
            str(line["n"]),
        )
        for line in found.to_dict("records")
    ]


def curves(found: pd.DataFrame) -> bytes:
    """One curve a method, its points named by beta."""
    lines = {
        TITLES.get(str(method), str(method)): sweeps.Curve(
            line["x"], line["y"], line["x_error"], line["y_error"],
            [f"{strength:g}" for strength in line["strength"]],
        )
        for method, line in found.groupby("method", sort=False)
    }  # fmt: skip
    return sweeps.tradeoff_curves(lines, x_label="reconstruction, nats", y_label="MIG")


def at_beta_one(frame: pd.DataFrame, data: str, own: str, other: str) -> Effect:
    """Published for the unmodified objective: the prior alone gives a higher MIG."""
    used = frame[(frame["dataset"] == data) & (frame["metric"] == MIG) & (frame["strength"] == 1)]
    used = used[np.isfinite(used["value"])]
    sides = [used.loc[used["method"] == name, "value"] for name in (other, own)]
    text = f"{data}: at beta = 1 the MIG of {own} is higher than that of {other}"
    if not all(len(side) for side in sides):
        return Effect(text, False, "no finished runs of both here")
    found = unpaired_difference(*sides)
    return Effect(text, bool(found.low > 0), spoken(found))


def better_tradeoff(found: pd.DataFrame, data: str, own: str, other: str) -> Effect:
    """Some beta of `own` beats the best mean MIG of `other`, at no worse reconstruction."""
    text = f"{data}: {own} has a better trade-off than {other}"
    mine, theirs = (_curve(found, data, name) for name in (own, other))
    if mine.empty or theirs.empty:
        return Effect(text, False, "no finished runs of both here")
    best = theirs.loc[theirs["y"].idxmax()]
    better = mine[(mine["y"] > best["y"]) & (mine["x"] >= best["x"])]
    shown = mine if better.empty else better
    lines = {own: shown.loc[shown["y"].idxmax()], other: best}
    evidence = "; ".join(
        f"{name}: MIG {line['y']:.3f} at beta {line['strength']:g}, reconstruction {line['x']:.1f}"
        for name, line in lines.items()
    )
    return Effect(text, not better.empty, evidence)


def price(found: pd.DataFrame, data: str, method: str) -> Effect:
    """Published of the baselines: a higher beta buys MIG for reconstruction."""
    line = _curve(found, data, method)
    text = f"{data}: {method} pays for a higher MIG with reconstruction as beta grows"
    if line["strength"].nunique() < 2:
        return Effect(text, False, "no finished runs at two values of beta here")
    first, last = line.iloc[0], line.iloc[-1]
    seen = last["y"] > first["y"] and last["x"] < first["x"]
    change = f"MIG {first['y']:.3f} to {last['y']:.3f}, "
    change += f"reconstruction {first['x']:.1f} to {last['x']:.1f}"
    betas = f"beta {first['strength']:g} to {last['strength']:g}"
    return Effect(text, bool(seen), f"{betas}: {change}")


def _curve(found: pd.DataFrame, data: str, method: str) -> pd.DataFrame:
    return found[(found["dataset"] == data) & (found["method"] == method)]


def _with_error(mean: float, error: float, digits: int) -> str:
    return f"{mean:.{digits}f}" + (f" ± {error:.{digits}f}" if np.isfinite(error) else "")
