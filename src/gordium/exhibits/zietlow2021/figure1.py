"""Zietlow et al. 2021, Figure 1: linear codes follow the cloud, nonlinear ones its clusters."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.decomposition import PCA

from gordium.arrays import Floats, Integers
from gordium.datasets import ClusteredCloud
from gordium.evaluation.run_scores import load_representation
from gordium.exhibits.base import Exhibit, Made, Place
from gordium.exhibits.runs import pick_seeds, train_all
from gordium.exhibits.zietlow2021 import figure_claims
from gordium.methods import BetaVAE
from gordium.networks import Architecture, Linear, Mlp
from gordium.report.figures import axes as axes_figures
from gordium.spec import RunSpec
from gordium.study.arm import Arm
from gordium.training import Adam, Settings

HEAD = ("codes", "from the clusters' axes", "from the cloud's axes")


@dataclass(frozen=True)
class Size:
    """How much is trained; the paper does not print its settings, so all of them are ours."""

    n: int
    steps: int
    seeds: Sequence[int]


SIZES = {
    "smoke": Size(500, 50, pick_seeds(1)),
    "laptop": Size(10_000, 6000, pick_seeds(10)),
    "paper": Size(50_000, 50_000, pick_seeds(10)),
}


class Codes(NamedTuple):
    """Codes (n, 2) of the cloud, what they are called, and the factors behind them."""

    name: str
    values: Floats
    factors: Floats


def make(place: Place) -> Made:
    """Train linear and nonlinear VAEs on the cloud and compare their axes with PCA's."""
    size = SIZES[place.scale]
    cloud = ClusteredCloud(n=size.n)
    linear = _runs(cloud, size, Linear(), beta=0.1)
    curved = _runs(cloud, size, Mlp((48, 48), (48, 48), "tanh", "tanh"), beta=0.004)
    folders = train_all(place, [*linear, *curved], title="codes of the cloud", metrics=("mcc",))
    pca = PCA(whiten=True).fit(cloud.samples.points.astype(np.float64))
    tilt = float(np.rad2deg(np.arctan2(*pca.components_[0][::-1])))
    codes = [
        *_load_codes("nonlinear VAE", folders[len(linear) :], size),
        *_load_codes("linear VAE", folders[: len(linear)], size),
        Codes("PCA", pca.transform(cloud.samples.points), cloud.samples.values),
    ]
    rows = [_row(code, tilt) for code in codes]
    return Made(
        HEAD,
        [(str(r["codes"]), f"{r['to_local']:.1f}°", f"{r['to_global']:.1f}°") for r in rows],
        rows,
        {"figure1.png": _picture(cloud, codes)},
        [
            "Angles: for each cluster, the directions in which one latent unit moves the data, "
            "by least squares; how far each is from the nearest axis, averaged (at most 45). "
            f"The cloud's axes are turned by {tilt:.1f} degrees against the clusters'. The "
            "linear VAE has beta 0.1, the nonlinear one 0.004, so that its noise is smaller "
            "than a cluster; the axes of the linear optimum do not depend on beta."
        ],
    )


def _runs(
    cloud: ClusteredCloud, size: Size, architecture: Architecture, beta: float
) -> list[RunSpec]:
    settings = Settings(
        latent_dim=2,
        steps=size.steps,
        batch_size=128,
        architecture=architecture,
        likelihood="gaussian",
        optimiser=Adam(learning_rate=3e-3),
    )
    return Arm.of(BetaVAE(beta=beta), settings).on(cloud, size.seeds)


def _load_codes(name: str, folders: Sequence[Path], size: Size) -> list[Codes]:
    found = []
    for folder, seed in zip(folders, size.seeds, strict=True):
        codes, _, factors, _ = load_representation(folder)
        found.append(Codes(f"{name}, seed {seed}", codes.astype(np.float64), factors))
    return found


def _row(code: Codes, tilt: float) -> dict[str, str | float]:
    centres = np.unique(code.factors[:, :2], axis=0)
    directions = np.concatenate([unit_directions(code, centre) for centre in centres])
    return {
        "codes": code.name,
        "to_local": float(off_axes(directions, 0.0).mean()),
        "to_global": float(off_axes(directions, tilt).mean()),
    }


def unit_directions(code: Codes, centre: Floats) -> Floats:
    """The directions in degrees in which the latent units move the data in one cluster."""
    here = (code.factors[:, :2] == centre).all(axis=1)
    offsets, values = code.factors[here, 2:], code.values[here]
    encoder = np.linalg.lstsq(
        np.column_stack([offsets, np.ones(len(offsets))]), values, rcond=None
    )[0][:2]
    moves = np.linalg.inv(encoder)  # row j: how the point moves as unit j does
    return np.rad2deg(np.arctan2(moves[:, 1], moves[:, 0]))


def off_axes(degrees: Floats, tilt: float) -> Floats:
    """How many degrees (0 to 45) directions are from the nearest of two axes turned by `tilt`."""
    return np.abs((degrees - tilt + 45) % 90 - 45)


def _picture(cloud: ClusteredCloud, codes: Sequence[Codes]) -> bytes:
    data = Codes("data", cloud.samples.points.astype(np.float64), cloud.samples.values)
    first = {code.name.split(",")[0]: code for code in reversed(codes)}
    curved = match(first["nonlinear VAE"], data)
    linear = match(first["linear VAE"], curved)
    shown = (curved, data, linear, match(first["PCA"], linear))
    middle = np.zeros(2)
    panels = {
        code.name: (code.values, _labels(code), (code.factors[:, :2] == middle).all(axis=1))
        for code in shown
    }
    return axes_figures.clouds(panels)


def match(code: Codes, other: Codes) -> Codes:
    """Reorder and flip units so that the codes are most like the others.

    Clusters are compared by their mean codes, since samples may come in another order.
    """
    correlation = np.corrcoef(_mean_codes(code).T, _mean_codes(other).T)[:2, 2:]
    order = np.argsort(linear_sum_assignment(np.abs(correlation), maximize=True)[1])
    signs = np.sign(correlation[order, [0, 1]])
    return code._replace(values=code.values[:, order] * signs)


def _mean_codes(code: Codes) -> Floats:
    labels = _labels(code)
    return np.array([code.values[labels == label].mean(axis=0) for label in np.unique(labels)])


def _labels(code: Codes) -> Integers:
    return np.unique(code.factors[:, :2], axis=0, return_inverse=True)[1].ravel()


figure1 = Exhibit(
    "Figure 1",
    "Clusters whose own axes are not those of the whole cloud",
    make,
    figure_claims.figure1,
)
