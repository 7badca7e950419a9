"""What Figures 5 and 6 of Stühmer et al. 2020 share: MIG against reconstruction over beta."""

from typing import Any

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
    "that larger is better; means ± standard errors. Better trade-off: at the beta of the highest "
    "mean MIG the reconstruction is better as well."
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
    """The best mean MIG of `own` is higher than that of `other`, at no worse reconstruction."""
    text = f"{data}: {own} has a better trade-off than {other}"
    best = [_best(found, data, name) for name in (own, other)]
    if None in best:
        return Effect(text, False, "no finished runs of both here")
    (a, b) = best
    shown = "; ".join(
        f"{name}: MIG {line['y']:.3f} at beta {line['strength']:g}, reconstruction {line['x']:.1f}"
        for name, line in zip((own, other), best, strict=True)
        if line is not None
    )
    seen = a is not None and b is not None and a["y"] > b["y"] and a["x"] >= b["x"]
    return Effect(text, bool(seen), shown)


def price(found: pd.DataFrame, data: str, method: str) -> Effect:
    """Published of the baselines: a higher beta buys MIG for reconstruction."""
    line = found[(found["dataset"] == data) & (found["method"] == method)]
    text = f"{data}: {method} pays for a higher MIG with reconstruction as beta grows"
    if line["strength"].nunique() < 2:
        return Effect(text, False, "no finished runs at two values of beta here")
    first, last = line.iloc[0], line.iloc[-1]
    seen = last["y"] > first["y"] and last["x"] < first["x"]
    change = f"MIG {first['y']:.3f} to {last['y']:.3f}, "
    change += f"reconstruction {first['x']:.1f} to {last['x']:.1f}"
    betas = f"beta {first['strength']:g} to {last['strength']:g}"
    return Effect(text, bool(seen), f"{betas}: {change}")


def _best(found: pd.DataFrame, data: str, method: str) -> dict[str, Any] | None:
    line = found[(found["dataset"] == data) & (found["method"] == method)]
    return None if line.empty else line.loc[line["y"].idxmax()].to_dict()


def _with_error(mean: float, error: float, digits: int) -> str:
    return f"{mean:.{digits}f}" + (f" ± {error:.{digits}f}" if np.isfinite(error) else "")
