"""Figure 3 of Stühmer et al. 2020: how the prior's tails turn the code of a position."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gordium.arrays import Floats
from gordium.datasets import Dataset, load_dataset
from gordium.evaluation.run_scores import load_representation
from gordium.exhibits.base import Exhibit, Made, Place, Row
from gordium.exhibits.runs import pick_seeds, train_all
from gordium.exhibits.stuehmer2020 import claims
from gordium.methods import ISAVAE
from gordium.networks import Mlp
from gordium.report.figures.responses import position_maps
from gordium.study.arm import Arm
from gordium.theory import prior_orientation as theory
from gordium.training import Adam, Settings
from gordium.training.folder import read_history

MEASURED = ("off_axis", "linear", "falling")
PRIORS = {"leptokurtic (Laplace), p = 1": 1.0, "normal, p = 2": 2.0, "platykurtic, p = 4": 4.0}


class Scale(NamedTuple):
    """The size of images in pixels, the number of seeds, and the settings of training."""

    size: int
    seeds: int
    settings: Settings


class Code(NamedTuple):
    """Units (n, 2) over positions (n, 2): how far they point off the axes, and how linear they are.

    `falling` is the relative fall of the loss from the last but one to the last tenth of training.
    """

    off_axis: float
    linear: float
    units: Floats
    positions: Floats
    falling: float = 0.0


def choose_scale(name: str) -> Scale:
    """How models are trained: as on dSprites, since the paper does not say it for Figure 3."""
    small, large = Mlp((128,), (128,)), Mlp()
    return {
        "smoke": Scale(16, 1, _settings(30, 64, Mlp((16,), (16,)))),
        "laptop": Scale(32, 10, _settings(3000, 64, small, 2e-3)),
        "paper": Scale(64, 10, replace(_settings(20_000, 256, large), initial="torch")),
    }[name]


def _settings(steps: int, batch_size: int, network: Mlp, rate: float = 1e-3) -> Settings:
    return Settings(
        latent_dim=2,
        steps=steps,
        batch_size=batch_size,
        architecture=network,
        optimiser=Adam(learning_rate=rate),
    )


def make(place: Place) -> Made:
    """Train models under three priors and measure where their units point."""
    sized = choose_scale(place.scale)
    data = load_dataset("dsprites", size=sized.size).hold(shape=0, scale=5, orientation=0)
    codes = _codes(place, data, sized)
    linear = {
        name: (theory.misfit(p, 0), theory.misfit(p, np.pi / 4), theory.best_warped_misfit(p))
        for name, p in PRIORS.items()
    }
    rows: list[Row] = [
        {"p": PRIORS[name], "seed": seed, **{key: getattr(code, key) for key in MEASURED}}
        for name, found in codes.items()
        for seed, code in zip(pick_seeds(len(found)), found, strict=True)
    ]
    names = ("misfit_axis", "misfit_diagonal", "misfit_bent")
    rows += [{"p": PRIORS[n], **dict(zip(names, m, strict=True))} for n, m in linear.items()]
    return Made(
        (
            "prior",
            "misfit of a linear code: on axes",
            "on diagonals",
            "on axes and bent",
            "trained codes: degrees off the axes",
            "share that is linear",
            "last fall of the loss",
        ),
        [_line(name, linear[name], codes[name]) for name in PRIORS],
        rows,
        {"codes.png": position_maps({n: _field(found[0]) for n, found in codes.items()})},
        (
            f"A square of dSprites at every one of 32 x 32 positions, {sized.size} x {sized.size} "
            f"pixels; ISA-VAE with p0 = p and beta = 1, {sized.seeds} seeds a prior. 0 degrees is "
            "a unit along x or y, 45 along a diagonal; each unit's direction is that of its "
            "regression on (x, y), of which the next column is R^2. The last column is by how "
            "much the mean loss of the last tenth of the training is below that of the tenth "
            "before it: where it still falls, directions are not final.",
            "Misfit: KL in nats of the code of a uniform square from the prior, at the best "
            "scale; bent: each coordinate u becomes u (1 + b |u|^4) with the best b. A network "
            "that is free to bend fits a factorised prior best along the axes, whatever its tails.",
        ),
    )


def _codes(place: Place, data: Dataset, sized: Scale) -> dict[str, list[Code]]:
    runs = {
        name: Arm.of(ISAVAE(p0=p, p=p, layout=2), sized.settings).on(data, pick_seeds(sized.seeds))
        for name, p in PRIORS.items()
    }
    declared = [run for found in runs.values() for run in found]
    folders = iter(train_all(place, declared, title="models with three priors"))
    return {name: [_code(next(folders)) for _ in found] for name, found in runs.items()}


def _code(folder: Path) -> Code:
    representation = load_representation(folder)
    units = representation.codes.astype(np.float64)
    loss = [row["loss"] for row in read_history(folder)]
    part = max(1, len(loss) // 10)
    falling = 1 - np.mean(loss[-part:]) / np.mean(loss[-2 * part : -part] or loss)
    code = measure(units, representation.factors[:, -2:].astype(np.float64))
    return code._replace(falling=float(falling))


def measure(units: Floats, positions: Floats) -> Code:
    """The direction of each unit in the plane of positions, by regression, and its R^2."""
    centred, at = units - units.mean(axis=0), positions - positions.mean(axis=0)
    slopes = np.linalg.lstsq(at, centred, rcond=None)[0]
    angles = np.degrees(np.arctan2(slopes[1], slopes[0])) % 90
    left = ((centred - at @ slopes) ** 2).sum(axis=0) / (centred**2).sum(axis=0)
    off_axis = np.minimum(angles, 90 - angles)
    return Code(float(off_axis.mean()), float(1 - left.mean()), units, positions)


def _line(name: str, linear: tuple[float, ...], codes: list[Code]) -> tuple[str, ...]:
    return (
        name,
        *(f"{value:.3f}" for value in linear),
        ", ".join(f"{code.off_axis:.0f}" for code in codes),
        ", ".join(f"{code.linear:.2f}" for code in codes),
        ", ".join(f"{code.falling:.1%}" for code in codes),
    )


def _field(code: Code) -> list[Floats]:
    """Each unit as a picture over the grid of positions, y down."""
    columns = code.positions.astype(int)
    pictures = np.full((2, *(columns.max(axis=0) + 1)[::-1]), np.nan)
    pictures[:, columns[:, 1], columns[:, 0]] = code.units.T
    return list(pictures)


figure3 = Exhibit("Figure 3", "Priors that turn the code of a position", make, claims.figure3)
