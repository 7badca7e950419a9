"""Figure 4 of Zietlow et al. 2021: original + change = altered image."""

from statistics import fmean

import numpy as np

from gordium.datasets import Modified
from gordium.exhibits.base import Exhibit, Made, Place, Row, fill
from gordium.exhibits.headline_page import draw_change
from gordium.exhibits.zietlow2021 import figure_claims
from gordium.exhibits.zietlow2021.search import learn_changes
from gordium.manipulation import Manipulation
from gordium.study import pictures
from gordium.study.data import Data

PUBLISHED = {"dsprites": "0.1", "shapes3d": "0.175"}
COLUMNS = {
    "data": "{data}",
    "epsilon: published": "{published}",
    "here": "{epsilon:.3g}",
    "largest change": "{largest:.3g}",
    "root mean square": "{root_mean_square:.3g}",
    "deviation of the images": "{deviation:.3g}",
    "images unchanged": "{unchanged:.3g}",
    "L_ent - L_dis at first": "{loss_at_start:.3g}",
    "at the end": "{loss:.3g}",
}
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
    shown = [{**row, "published": PUBLISHED.get(str(row["data"]), "–")} for row in rows]
    return Made(list(COLUMNS), fill(COLUMNS, shown), rows, drawn, notes)


def measure(name: str, data: Data, change: Manipulation) -> Row:
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


figure4 = Exhibit("Figure 4", "Original + change = altered image", make, figure_claims.figure4)
