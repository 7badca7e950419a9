"""Figure 7 of Stühmer et al. 2020: exponents that the prior learns on faces."""

from pathlib import Path

import numpy as np

from gordium.exhibits.base import Exhibit, Made, Place, Value
from gordium.exhibits.published import read_published
from gordium.exhibits.runs import repeat_over_seeds, train_all
from gordium.exhibits.stuehmer2020 import claims
from gordium.exhibits.stuehmer2020.stand_ins import FACES, SIZES, SUBSPACE, settings, stand_in
from gordium.fields import declare_fields
from gordium.methods import ISAVAE
from gordium.report.figures import sweeps
from gordium.spec import RunSpec
from gordium.training import Settings
from gordium.training.folder import read_history

P0, START, N = 2.1, 2.0, 3
# Those of the runs of Figure 5 (c), if there are any.
BETAS = {name: size.learned or (1.0,) for name, size in SIZES.items()} | {"unscaled": (1.0, 4.0)}
HEAD = ("exponent", "published: most frequent", "here: median", "least", "greatest")


def make(place: Place) -> Made:
    """Train models with learned exponents and show where these end."""
    size = SIZES[place.scale]
    dataset = stand_in(FACES, place.scale)
    base = Settings(**settings(size))
    runs = [
        run
        for beta in BETAS[place.scale]
        for run in repeat_over_seeds(
            ISAVAE(beta=beta, layout=SUBSPACE, learn_p=True, p0=P0),
            dataset,
            base,
            size.seeds["faces-learned"],
        )
    ]
    folders = train_all(place, runs, title="learned exponents")
    rows = [_row(run, folder) for run, folder in zip(runs, folders, strict=True)]
    return show(rows)


def show(rows: list[dict[str, Value]]) -> Made:
    """Make the exhibit from rows that hold the sorted exponents p1 <= p2 <= p3 of each run."""
    table = np.array([[float(row[f"p{k}"]) for k in range(1, N + 1)] for row in rows])
    theirs = read_published("stuehmer2020-figure7")["mode"]
    body = [
        (
            f"p{k + 1}",
            f"{theirs[k]:.2f}",
            f"{np.median(column):.3f}",
            f"{column.min():.3f}",
            f"{column.max():.3f}",
        )
        for k, column in enumerate(table.T)
    ]
    panel = {"learned exponents": {f"p{k + 1}": column for k, column in enumerate(table.T)}}
    notes = [
        f"Drawn heads stand in for 3D Faces ({FACES}; at laptop scale one head, at smoke "
        f"scale a small room); {len(rows)} "
        f"ISA-VAEs with p0 = {P0:g}, "
        f"whose exponents start at {START:g}, {N} subspaces, betas "
        + ", ".join(f"{beta:g}" for beta in dict.fromkeys(float(row["beta"]) for row in rows))
        + ". Published: 15 runs for each of six betas, 1500 epochs; exponents are sorted within "
        "a run. A short training moves them little: the last column of rows.csv has the steps."
    ]
    modes = {f"p{k + 1}": float(mode) for k, mode in enumerate(theirs)}
    picture = sweeps.distributions(panel, label="exponent", published=modes)
    return Made(HEAD, body, rows, {"exponents.png": picture}, notes)


def _row(run: RunSpec, folder: Path) -> dict[str, Value]:
    last = read_history(folder)[-1]
    found = sorted(last[f"p{k}"] for k in range(1, N + 1))
    return {
        "beta": declare_fields(run.method)["beta"],
        "seed": run.seed,
        **{f"p{k}": value for k, value in enumerate(found, start=1)},
        "run": folder.name,
        "steps": last["step"],
    }


EXHIBIT = Exhibit(
    "stuehmer2020-figure7", "Figure 7", "Learned exponents on faces", make, claims.figure7
)
