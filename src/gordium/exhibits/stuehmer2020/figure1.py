"""Figure 1 and B.8 of Stühmer et al. 2020: mean-field inference bends over-complete ICA."""

from typing import NamedTuple

import numpy as np

from gordium.datasets import StudentTMixture
from gordium.exhibits.base import Exhibit, Made, Place, Row
from gordium.exhibits.stuehmer2020 import claims
from gordium.report.figures import plane
from gordium.theory import student_t_ica as ica

BETAS = (1.0, 5.0)
PUBLISHED, SPARSER = 3.5, 1.5  # degrees of freedom
PRUNED = 0.05  # of the longest column's length
SIZES = {"smoke": (60, 150, 1), "laptop": (300, 600, 10), "paper": (1000, 5000, 10)}


class Case(NamedTuple):
    """The fit to one sample at one beta, by ascent from the true weights."""

    data: StudentTMixture
    beta: float
    fit: ica.Fit

    @property
    def kept(self) -> list[int]:
        """The columns that are not pruned."""
        lengths = ica.lengths(self.fit.weights)
        return np.flatnonzero(lengths > PRUNED * lengths.max()).tolist()

    @property
    def angles(self) -> list[float]:
        """The angles between the lines of the components that are not pruned."""
        return ica.angles(self.fit.weights[:, self.kept]).tolist()

    @property
    def pruned_at(self) -> int | None:
        """The first step after which a component is pruned, or None."""
        lengths = np.linalg.norm(self.fit.trail, axis=1)
        found = np.flatnonzero(lengths.min(axis=1) <= PRUNED * lengths.max(axis=1))
        return int(found[0]) if found.size else None


def make(place: Place) -> Made:
    """Fit every sample at both betas and count the components that are left."""
    n, steps, seeds = SIZES[place.scale]
    samples = [StudentTMixture(n=n, seed=seed, df=PUBLISHED) for seed in range(seeds)]
    samples.append(StudentTMixture(n=n, df=SPARSER))
    cases = [fit_case(data, beta, steps) for data in samples for beta in BETAS]
    return Made(
        (
            "freedom",
            "sample",
            "beta",
            "kept",
            "angles",
            "overlap",
            "steps, pruned at",
            "gain, nats",
        ),
        [_line(found) for found in cases],
        [_row(found) for found in cases],
        {"components.png": _picture(cases[: len(BETAS)])},
        (
            "True components are unit vectors 60 degrees apart, sources have 3.5 degrees of "
            f"freedom as published; directions, noise (0.5) and {n} points are ours, since the "
            "paper prints none. Noise and prior are known to the model, as there.",
            "Overlap: squared inner products of the columns, summed over pairs, over the squared "
            f"sum of their squared lengths. Pruned: below {PRUNED:.0%} of the longest column.",
            "Arrows and paths are drawn at three times their length. No number of the paper's own "
            f"run is known; the last two lines are of sources with {SPARSER} degrees of freedom.",
        ),
    )


def fit_case(data: StudentTMixture, beta: float, steps: int) -> Case:
    """Ascend from the true weights (B.7); every step is an improvement."""
    model = ica.Model(data.df, (data.noise**2,) * 2, beta)
    points = data.samples.points.astype(np.float64)
    return Case(data, beta, ica.fit(model, points, data.weights, steps=steps))


def _line(found: Case) -> tuple[str, ...]:
    path = found.fit.path
    return (
        f"{found.data.df:g}",
        str(found.data.seed),
        f"{found.beta:g}",
        str(len(found.kept)),
        ", ".join(f"{angle:.0f}" for angle in found.angles) or "-",
        f"{ica.overlap(found.data.weights):.3f} to {ica.overlap(found.fit.weights):.4f}",
        f"{len(path) - 1}, {found.pruned_at or '-'}",
        f"{path[-1] - path[0]:.3f}",
    )


def _row(found: Case) -> Row:
    lengths = ica.lengths(found.fit.weights)
    directions = np.degrees(np.arctan2(*found.fit.weights[::-1])) % 180
    return {
        "df": found.data.df,
        "seed": found.data.seed,
        "beta": found.beta,
        "kept": len(found.kept),
        **{f"length{k}": float(v) for k, v in enumerate(lengths, start=1)},
        **{f"direction{k}": float(v) for k, v in enumerate(directions, start=1)},
        "overlap": ica.overlap(found.fit.weights),
        "free_energy_start": float(found.fit.path[0]),
        "free_energy_end": float(found.fit.path[-1]),
        "steps": len(found.fit.path) - 1,
        "pruned_at": found.pruned_at or "",
    }


def _picture(cases: list[Case]) -> bytes:
    data = cases[0].data
    points = data.samples.points
    clouds = [plane.Cloud("data and true components", points, data.weights)]
    for found in cases:
        title = f"beta = {found.beta:g}: {len(found.kept)} of 3 kept"
        fit = found.fit
        clouds.append(plane.Cloud(title, points, data.weights, fit.weights, fit.trail))
    return plane.clouds(clouds, reach=8)


figure1 = Exhibit("Figure 1", "Mean-field inference bends over-complete ICA", make, claims.figure1)
