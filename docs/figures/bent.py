"""Writes results/demo/bent.csv: do codes on changed images turn, or bend?

    python docs/figures/bent.py FOLDER

FOLDER holds finished repetitions of `gordium demo`. If codes only turned, a linear map of the two
units would still find the orientation; if they bend, only their neighbourhoods keep it. Both are
shares of the orientation's variance that are explained: by least squares, and on held-out tenths
by the mean of the four nearest codes.
"""

import csv
import sys
from pathlib import Path

import numpy as np
from changes import HOW, OUT, find_change
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import cross_val_predict
from sklearn.neighbors import KNeighborsRegressor

import gordium as gd
from gordium.datasets import Dataset, Modified, Noisy
from gordium.exhibits.demo import seeds
from gordium.exhibits.demo.recipe import NOISE
from gordium.manipulation import load_manipulation
from gordium.report.rows import read_rows


def measure(folder: Path) -> list[dict[str, object]]:
    """Both shares, for every fresh run of a repetition."""
    rows = [row for row in read_rows(folder / "rows.csv") if row.metric == "mig"]
    found: list[dict[str, object]] = []
    for arm, dataset in arms(folder).items():
        for row in (row for row in rows if row.variant == arm):
            run = gd.load_run(folder / "exhibits" / "runs" / row.run)
            rep = gd.encode(run.model, dataset)
            found.append(
                {"repetition": folder.name, "variant": arm, "seed": row.seed, "mig": row.value}
                | shares(rep.codes, rep.factors[:, 1].astype(float))
            )
    return found


def arms(folder: Path) -> dict[str, Dataset]:
    (first,) = seeds(int(folder.name), NOISE, 1)
    return {
        "original": HOW.dataset,
        "modified": Modified(HOW.dataset, load_manipulation(find_change(folder))),
        "noise": Noisy(HOW.dataset, HOW.epsilon, seed=first),
    }


def shares(codes: np.ndarray, orientation: np.ndarray) -> dict[str, float]:
    linear = LinearRegression().fit(codes, orientation).score(codes, orientation)
    guess = cross_val_predict(KNeighborsRegressor(4), codes, orientation, cv=10)
    rest = ((orientation - guess) ** 2).sum() / ((orientation - orientation.mean()) ** 2).sum()
    return {"linear": float(linear), "neighbours": float(1 - rest)}


if __name__ == "__main__":
    folders = sorted((p for p in Path(sys.argv[1]).iterdir() if p.name.isdigit()),
                     key=lambda path: int(path.name))  # fmt: skip
    table = [line for folder in folders for line in measure(folder)]
    with OUT.with_name("bent.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(table[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(
            {k: round(v, 4) if isinstance(v, float) else v for k, v in line.items()}
            for line in table
        )
