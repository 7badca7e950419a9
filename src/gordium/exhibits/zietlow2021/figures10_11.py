"""Figures 10 and 11 of Zietlow et al. 2021: both kinds of minima, traversed in two units."""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from gordium.arrays import Floats
from gordium.datasets import Dataset
from gordium.evaluation.run_scores import load_representation, read_scores
from gordium.exhibits.base import Exhibit, Made, Place, Row, fill
from gordium.exhibits.zietlow2021 import figure_claims
from gordium.exhibits.zietlow2021.search import Searched, run_search
from gordium.metrics._information import discretise, entropy, mutual_information
from gordium.report.figures import images as figures
from gordium.spec import RunSpec
from gordium.training import load_run

HUES, OTHER = ("wall_hue", "floor_hue"), "orientation"
BINS, STEPS, REACH = 20, 7, 2.0
KINDS = ("disentangled", "entangled")
COLUMNS = {
    "kind": "{kind}",
    "seed": "{seed}",
    "MIG": "{mig:.3f}",
    "hue told by one unit": "{hue_unit:.0%}",
    "by the angle": "{hue_angle:.0%}",
    "orientation told by one unit": "{orientation_unit:.0%}",
    "by the radius": "{orientation_radius:.0%}",
}


def make(place: Place) -> Made:
    """Traverse the best and the worst runs of the search, and measure what their units tell."""
    found = run_search(place, "shapes3d")
    dataset = found.data.dataset
    names = [factor.name for factor in dataset.scored_factors]
    columns = [next(names.index(hue) for hue in HUES if hue in names), names.index(OTHER)]
    rows: list[Row] = []
    tiles: dict[str, NDArray[np.uint8]] = {}
    for kind, folders in zip(KINDS, ends(found), strict=True):
        for folder in folders:
            representation = load_representation(folder)
            factors = representation.factors[:, columns]
            units = choose_units(representation.codes, factors)
            codes = representation.codes[:, units].astype(np.float64)
            row = {**_label(kind, folder), **measure_told(codes, factors)}
            tiles[title(row)] = tile(folder, dataset, units, codes)
            rows.append(row)
    pictures = {"traversals.png": figures.titled_row(tiles)}
    notes = [
        "The best and worst runs by MIG, as many as the change is learned from, of "
        f"{len(found.folders)} of the search "
        f"({found.data.search.arm.method if found.data.search else ''}); over-pruned ones are no "
        f"minima of either kind. Hue: {names[columns[0]]}. Each picture traverses the two units "
        f"that tell most of hue and {OTHER}, from -{REACH:g} to {REACH:g} standard deviations of "
        "their codes. Told: mutual information over the factor's entropy, codes in 20 bins; the "
        "angle and the radius are around the mean of the codes, each divided by its deviation."
    ]
    return Made(list(COLUMNS), fill(COLUMNS, rows), rows, pictures, notes)


def ends(found: Searched) -> tuple[list[Path], list[Path]]:
    """The best and the worst runs by MIG, as many of each as a change is learned from."""
    ordered, search = found.sort_runs(), found.data.search
    if search is None:
        raise ValueError("both kinds of minima come from a search; this data set has no search.")
    return ordered[: search.disentangled], ordered[-search.entangled :][::-1]


def title(row: Row) -> str:
    """The title above the picture of a run."""
    return f"{row['kind']}, seed {row['seed']}\nMIG {row['mig']:.2f}"


def choose_units(codes: NDArray[Any], factors: NDArray[Any]) -> list[int]:
    """Choose the two units that tell most of both factors; the paper picks them by hand."""
    shared = mutual_information(discretise(codes, BINS), factors)
    return [int(unit) for unit in np.sort(np.argsort(shared.sum(axis=1))[-2:])]


def measure_told(codes: Floats, factors: NDArray[Any]) -> Row:
    """Measure how much of hue and orientation one unit tells, and how much angle or radius do."""
    centred = (codes - codes.mean(axis=0)) / np.maximum(codes.std(axis=0), 1e-12)
    angle, radius = np.arctan2(centred[:, 1], centred[:, 0]), np.hypot(*centred.T)
    views = np.column_stack([centred, angle, radius])
    share = mutual_information(discretise(views, BINS), factors) / entropy(factors)
    return {
        "hue_unit": float(share[:2, 0].max()),
        "hue_angle": float(share[2, 0]),
        "orientation_unit": float(share[:2, 1].max()),
        "orientation_radius": float(share[3, 1]),
    }


@torch.no_grad()
def tile(folder: Path, dataset: Dataset, units: list[int], codes: Floats) -> NDArray[np.uint8]:
    """Decode a grid of points in the plane of two units, the others fixed, as one picture."""
    model = load_run(folder).model
    x = torch.from_numpy(dataset.images([len(dataset) // 2])) / 255
    z = model.encode(x).mean.repeat(STEPS * STEPS, 1)
    middle, spread = codes.mean(axis=0), codes.std(axis=0)
    steps = np.linspace(-REACH, REACH, STEPS)
    down, along = (
        torch.from_numpy(a.ravel()).float() for a in np.meshgrid(steps, steps, indexing="ij")
    )
    z[:, units[0]] = float(middle[0]) + float(spread[0]) * along
    z[:, units[1]] = float(middle[1]) + float(spread[1]) * down
    images = model.decode(z).clamp(0, 1).permute(0, 2, 3, 1).numpy()
    _, h, w, c = images.shape
    grid = images.reshape(STEPS, STEPS, h, w, c).transpose(0, 2, 1, 3, 4)
    return np.rint(255 * grid.reshape(STEPS * h, STEPS * w, c)).astype(np.uint8)


def _label(kind: str, folder: Path) -> Row:
    scores = read_scores(folder)
    seed = RunSpec.from_json(scores["declaration"]).seed
    return {"kind": kind, "seed": seed, "mig": scores["scores"]["mig"] or 0.0, "run": scores["run"]}


figure10_11 = Exhibit(
    "Figures 10 and 11",
    "Two-dimensional traversals of both kinds of minima",
    make,
    figure_claims.traversals,
)
