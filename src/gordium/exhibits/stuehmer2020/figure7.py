"""Figure 7 of Stühmer et al. 2020: exponents that the prior learns on faces."""

from pathlib import Path

import pandas as pd

from gordium.exhibits.base import EARLIER, Exhibit, Made, Place, Row
from gordium.exhibits.published import read_published
from gordium.exhibits.runs import find_or_train
from gordium.exhibits.studies import complete_study
from gordium.exhibits.stuehmer2020 import claims
from gordium.exhibits.stuehmer2020.figure5 import list_learned
from gordium.exhibits.stuehmer2020.stand_ins import FACES, SUBSPACE, say_images, study_of
from gordium.fields import declare_fields
from gordium.methods import ISAVAE, Method
from gordium.report.figures import sweeps
from gordium.spec import RunSpec
from gordium.training.folder import read_history

P0, START, N = 2.1, 2.0, 3
HEAD = ("exponent", "published: most frequent", "here: median", "least", "greatest")


def make(place: Place) -> Made:
    """Train models with learned exponents and show where these end."""
    study = study_of("faces-learned", FACES, list_models(place.scale), place.scale)
    [data] = study.data.values()
    runs = [run for arm in study.arms for run in arm.on(data.dataset, study.seeds)]
    store = complete_study(place, study).store  # which Figure 5 (c) has too
    folders = find_or_train(place, store, runs, title="learned exponents")
    rows = [_row(run, folder) for run, folder in zip(runs, folders, strict=True)]
    return show(rows, say_images(FACES, study))


def list_models(scale: str) -> list[Method]:
    """The models of Figure 5 (c), or those that were trained for this figure alone."""
    if scale != EARLIER:
        return list_learned(scale)
    return [ISAVAE(beta=beta, layout=SUBSPACE, learn_p=True) for beta in (1.0, 4.0)]


def show(rows: list[Row], images: str) -> Made:
    """Make the exhibit from rows that hold the sorted exponents p1 <= p2 <= p3 of each run.

    `images` says which images the models were trained on.
    """
    table = pd.DataFrame(rows)[[f"p{k}" for k in range(1, N + 1)]]
    modes = dict(zip(table, read_published("stuehmer2020-figure7")["mode"], strict=True))
    body = [
        (name, f"{modes[name]:.2f}", *(f"{number:.3f}" for number in own))
        for name, own in table.agg(["median", "min", "max"]).items()
    ]
    panel = {"learned exponents": dict(table.items())}
    notes = [
        f"{images} {len(rows)} ISA-VAEs with p0 = {P0:g}, "
        f"whose exponents start at {START:g}, {N} subspaces, betas "
        + ", ".join(f"{beta:g}" for beta in dict.fromkeys(float(row["beta"]) for row in rows))
        + ". Published: 15 runs for each of six betas, 1500 epochs; exponents are sorted within "
        "a run. A short training moves them little: the last column of rows.csv has the steps."
    ]
    picture = sweeps.distributions(panel, label="exponent", published=modes)
    return Made(HEAD, body, rows, {"exponents.png": picture}, notes)


def _row(run: RunSpec, folder: Path) -> Row:
    last = read_history(folder)[-1]
    found = sorted(last[f"p{k}"] for k in range(1, N + 1))
    return {
        "beta": declare_fields(run.method)["beta"],
        "seed": run.seed,
        **{f"p{k}": value for k, value in enumerate(found, start=1)},
        "run": folder.name,
        "steps": last["step"],
    }


figure7 = Exhibit("Figure 7", "Learned exponents on faces", make, claims.figure7)
