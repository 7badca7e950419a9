"""Writes docs/images/headline.png: images that are changed, and what becomes of MIG on them.

    python docs/figures/front.py

The change is the zoo's, of repetition 0 of `gordium demo`; the points are the committed repetitions
of the demo on all processors, and of four factors.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from headline import ARMS, EQUAL, PROCESSORS, ROOT
from how import EPSILON, HELD, IMAGES
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import gordium as gd
from gordium.datasets import Modified
from gordium.exhibits.demo.judging import read_repetitions
from gordium.files import write_bytes
from gordium.report.figures.images import show_picture, to_png

SHOWN = (6 * 15 + 3, 6 * 15 + 11)  # one hue of the floor, two orientations
PANELS = {
    "two factors, 3 processors": PROCESSORS,
    "four factors": ("demo-2-designed",),
}
COLOURS = ("#3b6ea8", "#c8483c", "#7a7a7a", "#b0a070")


def draw() -> bytes:
    """Sums of original and change on the left, a panel of repetitions for each kind of images."""
    figure = Figure(figsize=(10.4, 3.3), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=[1.05, 1])
    _draw_sums(left.subplots(len(SHOWN), 3))
    panels = right.subplots(1, len(PANELS), sharey=True)
    for axis, (words, folders) in zip(panels, PANELS.items(), strict=True):
        _draw_repetitions(axis, folders, words)
    panels[0].set_ylabel("MIG of fresh β-VAEs")
    return to_png(figure)


def _draw_sums(axes: np.ndarray) -> None:
    rooms = gd.load_dataset("shapes3d", size=32).hold(**HELD)
    altered = Modified(rooms, gd.load_manipulation(gd.zoo.get("change")))
    before, after = (data.images(np.array(SHOWN)) / 255.0 for data in (rooms, altered))
    for line, original, changed in zip(axes, before, after, strict=True):
        change = 0.5 + (changed - original) / EPSILON / 2
        for axis, image in zip(line, (original, change, changed), strict=True):
            show_picture(axis, image.transpose(1, 2, 0).clip(0, 1))
        for axis, sign in zip(line[:2], "+=", strict=True):
            axis.annotate(sign, (1.09, 0.5), xycoords="axes fraction", fontsize=16, ha="center")
    for axis, title in zip(axes[0], ("original", f"change, ×{EPSILON}", "modified"), strict=True):
        axis.set_title(title, fontsize=10)


def _draw_repetitions(axis: Axes, folders: Sequence[str], words: str) -> None:
    """Every repetition as a line through its means, and the mean of all as a bar."""
    rows = [read_repetitions(ROOT / "results" / name).assign(folder=name) for name in folders]
    migs = pd.concat(rows).query("metric == 'mig'")
    table = migs.pivot_table("value", ["folder", "repetition"], "variant")
    arms = (*ARMS, EQUAL)
    axis.plot(range(len(arms)), table[list(arms)].to_numpy().T, color="0.8", linewidth=0.8)
    for place, (arm, colour) in enumerate(zip(arms, COLOURS, strict=True)):
        axis.bar(place, table[arm].mean(), width=0.6, color=colour, alpha=0.35)
        axis.plot([place] * len(table), table[arm], "o", color=colour, markersize=4)
    names = ("original", "modified", "noise", "noise of\nits energy")
    axis.set_xticks(range(len(arms)), names, fontsize=8)
    axis.set(ylim=(0, 1))
    axis.set_title(f"{words}, {len(table)} times", fontsize=10)
    axis.spines[["top", "right"]].set_visible(False)


if __name__ == "__main__":
    write_bytes(IMAGES / "headline.png", draw())
