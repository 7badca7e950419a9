"""Writes results/demo/bent.csv: do codes on changed images turn, or bend?

    python docs/figures/bent.py FOLDER

FOLDER holds finished repetitions of `gordium demo`. If codes only turned, a linear map of the two
units would still find the orientation; if they bend, only their neighbourhoods keep it. Both are
shares of the orientation's variance that are explained: by least squares, and on held-out tenths
by the mean of the four nearest codes.
"""

import sys
from pathlib import Path

import numpy as np
from changes import IMAGES, list_repetitions, load_changed, write_table
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import cross_val_predict
from sklearn.neighbors import KNeighborsRegressor

import gordium as gd
from gordium.report.rows import read_rows


def measure(folder: Path) -> list[dict[str, object]]:
    """Both shares, for every fresh run of a repetition."""
    rows = [row for row in read_rows(folder / "rows.csv") if row.metric == "mig"]
    found: list[dict[str, object]] = []
    for arm, dataset in {"original": IMAGES, **load_changed(folder)}.items():
        for row in (row for row in rows if row.variant == arm):
            run = gd.load_run(folder / "runs" / row.run)
            rep = gd.encode(run.model, dataset)
            found.append(
                {"repetition": folder.name, "variant": arm, "seed": row.seed, "mig": row.value}
                | shares(rep.codes, rep.factors[:, 1].astype(float))
            )
    return found


def shares(codes: np.ndarray, orientation: np.ndarray) -> dict[str, float]:
    """The share of the orientation's variance that a linear map and near codes explain."""
    linear = LinearRegression().fit(codes, orientation).score(codes, orientation)
    guess = cross_val_predict(KNeighborsRegressor(4), codes, orientation, cv=10)
    rest = ((orientation - guess) ** 2).sum() / ((orientation - orientation.mean()) ** 2).sum()
    return {"linear": float(linear), "neighbours": float(1 - rest)}


if __name__ == "__main__":
    folders = list_repetitions(Path(sys.argv[1]))
    write_table("bent.csv", [line for folder in folders for line in measure(folder)])
