"""Figure 4 of Zietlow et al. 2021: original + change = altered image."""

from statistics import fmean

import numpy as np

from gordium.datasets import Modified
from gordium.exhibits.base import Exhibit, Made, Place, Value
from gordium.exhibits.headline_page import draw_change
from gordium.exhibits.zietlow2021 import figure_claims
from gordium.exhibits.zietlow2021.search import learn_changes
from gordium.manipulation import Manipulation
from gordium.study import pictures
from gordium.study.data import Data

PUBLISHED = {"dsprites": 0.1, "shapes3d": 0.175}
HEAD = (
    "data",
    "epsilon: published",
    "here",
    "largest change",
    "root mean square",
    "deviation of the images",
    "images unchanged",
    "L_ent - L_dis at first",
    "at the end",
)
NOTHING = 2  # grey levels; an image counts as unchanged if no pixel moves further


def make(place: Place) -> Made:
    """Load or learn the change of each data set, measure it and draw some images."""
    found = learn_changes(place)
    rows = [measure(name, data, change) for name, (data, change) in found.items()]
    drawn = {
        f"{name}.png": draw_change(data.dataset, change, pictures.some_indices(data.dataset, 3))
        for name, (data, change) in found.items()
    }
    notes = [
        "Pixels from 0 to 1; changes and images are measured over up to 1,000 images. Values "
        "that leave [0, 1] are reflected back into it. L_ent - L_dis is the mean over the last "
        "fifth of the steps, and at first that of the first steps, when next to nothing is changed "
        "yet: where it falls, the change makes images easier for the entangled models. Unchanged: "
        f"the share of images none of whose pixels moves by more than {NOTHING} grey levels."
    ]
    return Made(HEAD, [_line(row) for row in rows], rows, drawn, notes)


def measure(name: str, data: Data, change: Manipulation) -> dict[str, Value]:
    """Measure the change beside the images' own variation, and the loss that learning reached."""
    shown = pictures.some_indices(data.dataset, 1000)
    changes = change.changes(data.dataset.factors_at(shown))
    images = data.dataset.images(shown) / 255
    last = change.history[-max(1, len(change.history) // 5) :]
    moved = Modified(data.dataset, change).images(shown).astype(int) - data.dataset.images(shown)
    return {
        "data": name,
        "epsilon": change.epsilon,
        "largest": float(np.abs(changes).max()),
        "root_mean_square": float(np.sqrt((changes**2).mean())),
        "deviation": float(images.std(axis=0).mean()),
        "unchanged": float((np.abs(moved).max(axis=(1, 2, 3)) <= NOTHING).mean()),
        "loss_at_start": change.history[0]["loss"],
        "loss": fmean(row["loss"] for row in last),
    }


def _line(row: dict[str, Value]) -> tuple[str, ...]:
    name, *numbers = row.values()
    theirs = PUBLISHED.get(str(name))
    shown = [f"{number:.3g}" for number in numbers]
    return (str(name), "–" if theirs is None else f"{theirs:g}", *shown)


figure4 = Exhibit("Figure 4", "Original + change = altered image", make, figure_claims.figure4)
