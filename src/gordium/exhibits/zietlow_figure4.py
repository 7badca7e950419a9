"""Figure 4 of Zietlow et al. 2021: original + change = altered image."""

from statistics import fmean

import numpy as np

from gordium.datasets import Modified
from gordium.exhibits import pictures
from gordium.exhibits.base import Effect, Made, Place, Value
from gordium.exhibits.zietlow_search import learned
from gordium.manipulation import Manipulation
from gordium.report import figures
from gordium.study.study import Data

PUBLISHED = {"dsprites": 0.1, "shapes3d": 0.175}
HEAD = (
    "data",
    "epsilon: published",
    "here",
    "largest change",
    "root mean square",
    "deviation of the images",
    "L_ent - L_dis at the end",
)
ROUNDING = 0.5 / 255


def make(place: Place) -> Made:
    found = learned(place)
    rows = [measured(name, data, change) for name, (data, change) in found.items()]
    drawn = {f"{name}.png": _sums(data, change) for name, (data, change) in found.items()}
    notes = [
        "Pixels from 0 to 1; changes and images are measured over up to 1,000 images. Values "
        "that leave [0, 1] are reflected back into it. L_ent - L_dis is the mean over the last "
        "fifth of the steps: below 0, the entangled models have the changed images easier.",
    ]
    return Made(HEAD, [_line(row) for row in rows], rows, _effects(rows), drawn, notes)


def measured(name: str, data: Data, change: Manipulation) -> dict[str, Value]:
    """How large the change is beside the images' own variation, and what its learning reached."""
    shown = pictures.some_indices(data.dataset, 1000)
    changes = change.changes(data.dataset.factors_at(shown))
    images = data.dataset.images(shown) / 255
    last = change.history[-max(1, len(change.history) // 5) :]
    return {
        "data": name,
        "epsilon": change.epsilon,
        "largest": float(np.abs(changes).max()),
        "root_mean_square": float(np.sqrt((changes**2).mean())),
        "deviation": float(images.std(axis=0).mean()),
        "loss": fmean(row["loss"] for row in last),
    }


def _sums(data: Data, change: Manipulation) -> bytes:
    shown = pictures.some_indices(data.dataset, 3)
    return figures.sums(
        pictures.originals(data.dataset, shown),
        pictures.changes(change, data.dataset, shown),
        pictures.originals(Modified(data.dataset, change), shown),
        change.epsilon,
    )


def _line(row: dict[str, Value]) -> tuple[str, ...]:
    name, *numbers = row.values()
    theirs = PUBLISHED.get(str(name))
    shown = [f"{number:.3g}" for number in numbers]
    return (str(name), "–" if theirs is None else f"{theirs:g}", *shown)


def _effects(rows: list[dict[str, Value]]) -> list[Effect]:
    found = []
    for row in rows:
        name, largest, epsilon, loss = (row[k] for k in ("data", "largest", "epsilon", "loss"))
        within = float(largest) <= float(epsilon) + ROUNDING
        text = f"{largest:.4f} at most, epsilon is {epsilon:g}"
        found.append(Effect(f"{name}: no pixel changes by more than epsilon", within, text))
        easier = f"{name}: entangled models reconstruct the changed images with less loss"
        found.append(Effect(easier, float(loss) < 0, f"L_ent - L_dis = {loss:.3g}"))
    return found
