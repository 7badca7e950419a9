"""Rolinek et al. 2019, Theorem 2: from every start, down to the bound and orthogonal columns."""

from typing import NamedTuple

import numpy as np

from gordium.arrays import Floats
from gordium.exhibits.base import Exhibit, Made, Place
from gordium.exhibits.rolinek2019 import claims
from gordium.report.figures import theory as theory_figures
from gordium.theory import descend, largest_cosine, lower_bound, random_start

BUDGET_PER_UNIT = 3.0
FLAT = 1e-6  # the length of the gradient at which descent stops


class Size(NamedTuple):
    """Random Gaussian Jacobians (samples, outputs, units), and how many starts and steps."""

    samples: int
    outputs: int
    units: int
    starts: int
    steps: int


# The paper proves the theorem without an experiment, so the scale "paper" is ours, too.
SIZES = {
    "smoke": (Size(2, 4, 2, 3, 2000), Size(1, 5, 3, 2, 2000)),
    "laptop": (Size(3, 6, 2, 30, 3000), Size(2, 10, 3, 30, 3000), Size(1, 20, 5, 20, 6000)),
    "paper": (
        Size(10, 6, 2, 200, 20_000),
        Size(10, 10, 3, 200, 20_000),
        Size(10, 64, 6, 100, 50_000),
    ),
}


def make(place: Place) -> Made:
    """Descend from random starts and compare where they end with the bound."""
    rows: list[dict[str, float]] = []
    gaps: list[Floats] = []
    for size in SIZES[place.scale]:
        jacobians = _jacobians(size)
        for start in range(size.starts):
            row, gap = _descent(size, jacobians, start)
            rows.append(row)
            gaps.append(gap)
    cosines = [(row["cosine_at_start"], row["cosine_at_end"]) for row in rows]
    return Made(
        (
            "units",
            "samples",
            "starts",
            "gap at start",
            "largest gap at end",
            "largest cosine at end",
        ),
        [_line(size, rows) for size in SIZES[place.scale]],
        rows,
        {"descents.png": theory_figures.descents(gaps, cosines)},
        [
            "Jacobians are random Gaussian matrices; starts have uniformly random orthogonal "
            "matrices and random log-variances that keep the constraint (S35). Gap: objective "
            "(18) minus the bound (S40). Gradient descent on the orthogonal group with a "
            "backtracking step; it stops at a gradient of 1e-6 "
            "or where rounding hides any gain."
        ],
    )


def _jacobians(size: Size) -> Floats:
    rng = np.random.default_rng(size.units)
    return rng.standard_normal((size.samples, size.outputs, size.units))


def _descent(size: Size, jacobians: Floats, start: int) -> tuple[dict[str, float], Floats]:
    budget = BUDGET_PER_UNIT * size.samples * size.units
    chance = np.random.default_rng((size.units, start))
    begin = random_start(size.samples, size.units, budget, chance)
    found = descend(jacobians, begin, steps=size.steps, tolerance=FLAT)
    gap = found.losses - lower_bound(jacobians, budget)
    row = {
        **size._asdict(),
        "start": start,
        "gap_at_start": float(gap[0]),
        "gap_at_end": float(gap[-1]),
        "cosine_at_start": float(largest_cosine(jacobians @ begin.rotations).max()),
        "cosine_at_end": float(largest_cosine(jacobians @ found.end.rotations).max()),
        "steps_taken": len(gap) - 1,
    }
    return row, gap


def _line(size: Size, rows: list[dict[str, float]]) -> tuple[str, ...]:
    own = [row for row in rows if row["units"] == size.units]
    starts = [row["gap_at_start"] for row in own]
    return (
        str(size.units),
        str(size.samples),
        str(len(own)),
        f"{min(starts):.2f} to {max(starts):.2f}",
        f"{max(row['gap_at_end'] for row in own):.1e}",
        f"{max(row['cosine_at_end'] for row in own):.1e}",
    )


theorem2 = Exhibit(
    "Theorem 2", "The optimal noise makes a decoder's columns orthogonal", make, claims.theorem2
)
