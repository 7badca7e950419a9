"""Figures 8-16 of Stühmer et al. 2020: what each latent unit of a typical model responds to."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray

from gordium.arrays import Floats
from gordium.datasets import Dataset
from gordium.evaluation.representation import Representation
from gordium.evaluation.run_scores import load_representation
from gordium.exhibits.base import Exhibit, Made, Place, Row
from gordium.exhibits.runs import find_or_train
from gordium.exhibits.studies import Studied, complete_named
from gordium.exhibits.stuehmer2020 import claims
from gordium.exhibits.stuehmer2020.estimates import LOSS, MIG, say_mig, unify_mig
from gordium.geometry import traversals
from gordium.geometry.activity import ACTIVE_BELOW
from gordium.report.figures.responses import Response, responses
from gordium.report.frame import pivot_runs
from gordium.study.pictures import as_pictures
from gordium.training import load_run

STUDY = "stuehmer2020"


class Typical(NamedTuple):
    """The run that stands for a method at a strength on a data set."""

    dataset: str
    method: str
    beta: float
    seed: int
    run: str


POSITION = ("x", "y")


def make(place: Place) -> Made:
    """Choose a typical run of each setting and show what its active units respond to."""
    found = complete_named(place, STUDY)
    rows: list[Row] = []
    pictures: dict[str, bytes] = {}
    for run in representatives(found):
        dataset = found.study.data[run.dataset].dataset
        folder = _folder(place, found, run)
        representation = load_representation(folder)
        shares = explain_units(representation)
        own = _rows(representation, shares, dataset)
        labels = {name: value for name, value in run._asdict().items() if name != "seed"}
        rows += [{**labels, **row} for row in own]
        order = [int(row["unit"]) for row in own if row["active"]] or [0]
        units = _responses(folder, representation, dataset, order)
        pictures[f"{run.dataset}-{run.method}-{run.beta:g}.png"] = responses(units)
    factors = list(dict.fromkeys(k for row in rows for k in row if k.startswith("share_")))
    head = ("data", "method", "beta", "unit", "variance", *(f[6:] for f in factors))
    body = [_line(row, factors) for row in rows if row["active"]]
    return Made(head, body, rows, pictures, [found.note, f"{_note(rows)} {say_mig(found.usable)}"])


def representatives(found: Studied) -> list[Typical]:
    """The typical run of each method at each of its strengths."""
    chosen = []
    groups = unify_mig(found.usable).groupby(["dataset", "method", "strength"], sort=False)
    for (data, method, beta), group in groups:
        run = representative(pivot_runs(group[group["metric"].isin((MIG, LOSS))]))
        seed = int(group.loc[group["run"] == run, "seed"].iloc[0])
        chosen.append(Typical(data, method, beta, seed, run))
    return chosen


def representative(table: pd.DataFrame) -> str:
    """The run nearest to the mean of the upper half by MIG, in standard deviations of that half.

    The paper takes the Mahalanobis distance with the variances of MIG and reconstruction loss.
    """
    upper = table[table[MIG] >= table[MIG].median()]
    spread = upper.std(ddof=0).replace(0.0, 1.0)
    distance = (((upper - upper.mean()) / spread) ** 2).sum(axis=1)
    return str(distance.idxmin())


def explain_units(representation: Representation) -> Floats:
    """How much of a unit's variance each factor alone explains: (units, factors)."""
    codes = representation.codes.astype(np.float64)
    return np.stack([_explain(codes, values) for values in representation.factors.T], axis=1)


def _explain(codes: Floats, labels: NDArray[Any]) -> Floats:
    """The share of each unit's variance that lies between samples of different labels."""
    inverse = np.unique(labels, return_inverse=True)[1]
    sums = np.stack([np.bincount(inverse, code) for code in codes.T], axis=1)
    means = sums / np.bincount(inverse)[:, None]
    return means[inverse].var(axis=0) / np.maximum(codes.var(axis=0), 1e-12)


def _rows(representation: Representation, shares: Floats, dataset: Dataset) -> list[Row]:
    """A row for each unit, that of the least posterior variance first."""
    variances = np.exp(representation.require_log_variances().astype(np.float64)).mean(axis=0)
    names = [factor.name for factor in dataset.scored_factors]
    place = [names.index(name) for name in POSITION if name in names]
    both = _joint_share(representation, place)
    found: list[Row] = []
    for unit in np.argsort(variances):
        others = [shares[unit, i] for i in range(len(names)) if i not in place]
        found.append(
            {
                "unit": int(unit),
                "variance": float(variances[unit]),
                "active": bool(variances[unit] < ACTIVE_BELOW),
                "clear": float(max([*others, both[unit]])),
                **{f"share_{n}": float(shares[unit, i]) for i, n in enumerate(names)},
                "share_position": float(both[unit]),
            }
        )
    return found


def _joint_share(representation: Representation, columns: list[int]) -> Floats:
    """The share of each unit's variance that some factors explain together."""
    codes = representation.codes.astype(np.float64)
    if not columns:
        return np.zeros(codes.shape[1])
    labels = np.unique(representation.factors[:, columns], axis=0, return_inverse=True)[1]
    return _explain(codes, labels.ravel())


def _responses(
    folder: Path, representation: Representation, dataset: Dataset, order: list[int]
) -> list[Response]:
    factors, names = representation.factors, [factor.name for factor in dataset.scored_factors]
    codes = representation.codes.astype(np.float64)
    values = dict(zip(names, factors.T, strict=True))
    x, y = (values.pop(name, None) for name in POSITION)
    shapes = values.pop("shape", np.zeros(len(factors), int))
    pictures = _traversals(folder, dataset, order)
    return [
        Response(
            f"unit {unit}",
            _means(codes[:, unit], y, x) if x is not None and y is not None else None,
            {name: _means(codes[:, unit], shapes, some) for name, some in values.items()},
            images,
        )
        for unit, images in zip(order, pictures, strict=True)
    ]


def _means(code: Floats, rows: NDArray[Any], columns: NDArray[Any]) -> Floats:
    """The mean code where two factors have each of their values; 0 where there is none."""
    return pd.Series(code).groupby([rows, columns]).mean().unstack(fill_value=0.0).to_numpy()


def _traversals(folder: Path, dataset: Dataset, order: list[int]) -> list[list[NDArray[Any]]]:
    """Decoded images as one unit moves from -2 to 2 and the others stay at one image's code."""
    model = load_run(folder).model
    base = model.encode(torch.from_numpy(dataset.images([len(dataset) // 2])) / 255).mean[0]
    images = traversals(model.decode, base, np.linspace(-2, 2, 6), units=order)
    return [as_pictures(row) for row in images]


def _folder(place: Place, found: Studied, run: Typical) -> Path:
    """The run's folder; if only its rows are at hand, it is trained again."""
    data = found.study.data[run.dataset]
    [spec] = [
        spec
        for arm in found.study.arms_on(run.dataset)
        if (arm.method.name, arm.strength) == (run.method, run.beta)
        for spec in arm.on(data.dataset, [run.seed])
    ]
    return find_or_train(place, found.store, [spec], title="typical models")[0]


def _line(row: Row, factors: list[str]) -> tuple[str, ...]:
    shares = [f"{100 * float(row[f]):.0f} %" if f in row else "" for f in factors]
    named = (str(row["dataset"]), str(row["method"]), f"{row['beta']:g}", str(row["unit"]))
    return (*named, f"{row['variance']:.2f}", *shares)


def _note(rows: list[Row]) -> str:
    idle = sum(not row["active"] for row in rows)
    return (
        "The typical run of a method is the one nearest to the mean of the upper half by MIG, in "
        "MIG and reconstruction loss (A.5), at each strength. Shares are of a "
        "unit's variance that a factor alone explains (position: x and y together), units in the "
        f"order of their posterior variance; {idle} units with a variance above "
        f"{ACTIVE_BELOW:g} are left out. Pictures: mean codes over positions, red above 0; curves "
        "over other factors, one for each free shape (ellipse, square, heart differ in colour); "
        "images as the unit goes from -2 to 2."
    )


figures8_16 = Exhibit("Figures 8-16", "What each latent unit responds to", make, claims.units)
