"""Writes results/demo/candidates.csv: where the local axes of every candidate's images lie.

    python docs/figures/candidates.py FOLDER ...

A FOLDER is a finished repetition of `gordium demo` with controls. A line is one candidate: the two
probe runs on its images, and the mean over all images of J^T J, where J is the images' derivative
by both factors, per standard deviation of each. `angle` is how far its first principal direction
has turned from the hue's axis, `ratio` the first variance over the second.
"""

import sys
from pathlib import Path
from statistics import fmean

import numpy as np
from changes import HOW, IMAGES, find_change, group_probes, mean_local_variance, write_table

from gordium.datasets import Dataset, Modified
from gordium.exhibits.demo import Repetition
from gordium.manipulation import load_manipulation
from gordium.study.data import WAVES, WORST_NOISE
from gordium.study.phases import draw_candidates


def measure(folder: Path) -> list[dict[str, object]]:
    """All candidates of a repetition."""
    data = Repetition(int(folder.name), HOW, folder).data
    drawn = {kind: draw_candidates(data, kind) for kind in (WORST_NOISE, WAVES)}
    lines: list[dict[str, object]] = []
    for variant, rows in group_probes(folder).items():
        kind, number = variant.removeprefix("probe ").rsplit(" ", 1)
        images = drawn[kind][int(number) - 1] if kind in drawn else load(folder, variant)
        lines.append(
            {"repetition": int(folder.name), "kind": kind, "candidate": int(number)}
            | {"mig": fmean(row.value for row in rows if row.value is not None)}
            | {"asleep": sum(bool(row.over_pruned) for row in rows)}
            | find_axes(images)
        )
    return lines


def load(folder: Path, variant: str) -> Dataset:
    """The images that a learned change makes."""
    return Modified(IMAGES, load_manipulation(find_change(folder, variant)))


def find_axes(images: Dataset) -> dict[str, float]:
    """Mean local variance along both factors, and the axes of its ellipse."""
    mean = mean_local_variance(images)
    low, high = np.linalg.eigvalsh(mean)
    angle = np.degrees(np.arctan2(2 * mean[0, 1], mean[0, 0] - mean[1, 1])) / 2
    along = {"hue": float(mean[0, 0]), "orientation": float(mean[1, 1])}
    return {**along, "angle": float(angle), "ratio": float(high / low)}


if __name__ == "__main__":
    write_table("candidates.csv", [line for path in sys.argv[1:] for line in measure(Path(path))])
