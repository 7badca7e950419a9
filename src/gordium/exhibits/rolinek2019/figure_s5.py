"""Rolinek et al. 2019, Figure S5: codes of a square with equal sides, in any rotation."""

import numpy as np
import torch

from gordium.arrays import Floats
from gordium.exhibits.base import Exhibit, Made, Place, Row, fill
from gordium.exhibits.rolinek2019 import claims
from gordium.exhibits.rolinek2019.models import train_plans
from gordium.exhibits.rolinek2019.table_s4 import REDUCED, degenerate_plans
from gordium.report.figures import scores as score_figures
from gordium.training import load_run

RESTARTS = 4  # so many are in the published figure
SHOWN = 700
COLUMNS = {
    "seed": "{seed}",
    "angle to the nearest axis": "{degrees:.1f}",
    "singular values": "{first:.2f}, {second:.2f}",
}


def make(place: Place) -> Made:
    """Measure by which angle each restart turns the square, and draw the first four."""
    plans = degenerate_plans(place.scale, 1.0)
    folders = train_plans(place, plans, title="Figure S5")
    setup = plans[0].setup
    indices = setup.test_indices()[:SHOWN]
    square = setup.whole.factors_at(indices)
    x = torch.from_numpy(setup.whole.images(indices))
    codes: dict[str, Floats] = {}
    rows: list[Row] = []
    for plan, folder in zip(plans, folders, strict=True):
        with torch.no_grad():
            found = load_run(folder).model.encode(x).mean.numpy().astype(np.float64)
        codes[f"seed {plan.seed}"] = found
        degrees, first, second = _turn(square, found)
        turn: Row = {"degrees": degrees, "first": first, "second": second}
        rows.append({"seed": plan.seed, **turn, "run": folder.name})
    notes = [
        "The map from factors to codes is linear here; its polar part is a rotation, whose angle "
        "is given to the nearest axis (0: aligned, 45: as far off as can be), and its singular "
        "values say how nearly it is nothing else."
    ]
    if place.scale != "paper":
        notes.append(REDUCED)
    shown = dict(list(codes.items())[:RESTARTS])
    return Made(
        list(COLUMNS),
        fill(COLUMNS, rows),
        rows,
        {"codes.png": score_figures.codes_of_a_square(square, shown)},
        notes,
    )


def _turn(square: Floats, codes: Floats) -> tuple[float, float, float]:
    """How codes turn the square: the angle to the nearest axis, and two singular values."""
    design = np.column_stack([square, np.ones(len(square))])
    weights = np.linalg.lstsq(design, codes, rcond=None)[0][:2]
    u, values, vt = np.linalg.svd(weights)
    turn = u @ vt
    angle = np.degrees(np.arctan2(abs(turn[0, 1]), abs(turn[0, 0])))
    return float(min(angle, 90 - angle)), values[0], values[1]


figureS5 = Exhibit(
    "Figure S5", "Codes of a square with equal sides: any rotation", make, claims.figure_s5
)
