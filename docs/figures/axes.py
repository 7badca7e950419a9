"""Writes results/demo-RUNG/axes.csv: whether the changes of a rung turn the local axes.

    python docs/figures/axes.py RUNG FOLDER ...

A FOLDER is a finished repetition of `gordium demo --rung RUNG`. A line is one learned change, or
the original images: the two probe runs, the mean over all images of J^T J along each factor, where
J is the images' derivative by the factors, per standard deviation of each, and how much of each
principal direction of that mean, from the least variance to the greatest, lies along one factor
(1 is an axis that has not turned).
"""

import sys
from pathlib import Path
from statistics import fmean

import numpy as np
from changes import find_change, group_probes, mean_local_variance, write_table

from gordium.datasets import Dataset, Modified
from gordium.exhibits.demo import find_rung
from gordium.manipulation import load_manipulation


def measure(images: Dataset, folder: Path) -> list[dict[str, object]]:
    """All changes of a repetition."""
    taken = find_change(folder)
    lines: list[dict[str, object]] = []
    for variant, rows in group_probes(folder, "probe modified").items():
        place = find_change(folder, variant)
        lines.append(
            {"repetition": int(folder.name), "change": int(variant.rsplit(" ", 1)[1])}
            | {"chosen": int(place == taken), "mig": fmean(row.value or 0.0 for row in rows)}
            | {"asleep": sum(bool(row.over_pruned) for row in rows)}
            | find_axes(Modified(images, load_manipulation(place)))
        )
    return lines


def find_axes(images: Dataset) -> dict[str, object]:
    """Mean local variance along each factor, and how far each axis lies along one of them."""
    mean = mean_local_variance(images)
    _, axes = np.linalg.eigh(mean)
    along = {factor.name: float(mean[k, k]) for k, factor in enumerate(images.factors)}
    kept = {f"axis {k + 1}": float(np.square(axis).max()) for k, axis in enumerate(axes.T)}
    return {**along, **kept}


if __name__ == "__main__":
    rung, *folders = sys.argv[1:]
    (images,) = (data.dataset for data in find_rung(rung).data.values())
    empty: dict[str, object] = dict.fromkeys(
        ("repetition", "change", "chosen", "mig", "asleep"), ""
    )
    table = [empty | find_axes(images)]
    table += [line for path in folders for line in measure(images, Path(path))]
    write_table(f"../demo-{rung}/axes.csv", table)
