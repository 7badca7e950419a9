"""Zietlow et al. 2021, Figure 2: a small local change turns the nonlinear principal components.

A sheet over the square of two factors is bent, and then rippled along the diagonal. Its latent
axes at a point are those along which latent noise costs least: Theorem 1 for the sheet linearised
in a window as wide as the noise.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gordium.arrays import Floats
from gordium.exhibits.base import Exhibit, Made, Place, Row, fill
from gordium.report.figures.surfaces import sheets
from gordium.theory import noise_alignment

DIAGONAL = np.array([1.0, 1.0]) / np.sqrt(2)
STRETCH = 1.2  # of the first factor, so that it is the first component of the sheet
WINDOW = 0.15  # half the width of the window in which a sheet is linearised
STEP = 0.02  # of a traversal


@dataclass(frozen=True)
class Sheet:
    """x(s, t) = (1.2 s, t, bend) + height sin(waves u), with u the coordinate of the diagonal.

    The ripple is along the third coordinate, near the sheet's normal.
    """

    height: float = 0.0
    waves: float = 30.0

    def points(self, w: Floats) -> Floats:
        """Points (n, 3) of factors (n, 2) in the square from -1 to 1."""
        s, t = w.T
        bend = 0.35 * s**2 - 0.25 * t**2
        ripple = self.height * np.sin(self.waves * (w @ DIAGONAL))
        return np.column_stack([STRETCH * s, t, bend + ripple])

    def jacobians(self, w: Floats) -> Floats:
        """d x / d w (n, 3, 2)."""
        slope = self.height * self.waves * np.cos(self.waves * (w @ DIAGONAL))
        jacobian = np.zeros((len(w), 3, 2))
        jacobian[:, 0, 0], jacobian[:, 1, 1] = STRETCH, 1.0
        jacobian[:, 2] = w * (0.7, -0.5) + slope[:, None] * DIAGONAL
        return jacobian


class Measured(NamedTuple):
    """The first local component at each point (n, 2), PCA's axes, and the whole variance."""

    local: Floats
    axes: Floats
    variance: float


COLUMNS = {
    "sheet": "{sheet}",
    "largest move": "{largest_move:g}",
    "local axes from the factor": "{from_factor:.1f}°",
    "turn of local axes": "{local_turn:.1f}°",
    "turn of global axes": "{global_turn:.2f}°",
    "variance": "{variance:.4f} ({variance_change:+.2%})",
}
SIZES = {"smoke": 5, "laptop": 15, "paper": 41}  # points a side at which components are taken
SHEETS = {"bent": Sheet(), "perturbed": Sheet(height=0.05)}


def make(place: Place) -> Made:
    """Compare local and global axes of the bent and of the perturbed sheet."""
    grid = square(SIZES[place.scale], 0.8)
    measured = {name: _measure(sheet, grid) for name, sheet in SHEETS.items()}
    base = measured["bent"]
    rows = [_row(name, found, base) for name, found in measured.items()]
    return Made(
        list(COLUMNS),
        fill(COLUMNS, rows),
        rows,
        {"figure2.png": _picture()},
        [
            "Local axes: the first component of Theorem 1 for the Jacobians in a window of "
            f"{2 * WINDOW:g} around a point; mean angle to the first factor, and to the bent "
            "sheet's (the turn). Global axes are those of PCA. Nothing is trained here; the "
            "paper's figure is an illustration."
        ],
    )


def square(n: int, half: float) -> Floats:
    """An even grid of n x n factor values from -half to half."""
    line = np.linspace(-half, half, n)
    return np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)


def local_axes(sheet: Sheet, w: Floats) -> Floats:
    """The principal directions at one point, as rows in the square of factors."""
    window = w + square(15, WINDOW)
    return noise_alignment(sheet.jacobians(window).reshape(-1, 2), 0.0).rotation


def traversal(sheet: Sheet, start: Floats, which: int) -> Floats:
    """The line of one local component through a point, both ways to the edge of the square."""
    halves = []
    for sign in (-1.0, 1.0):
        w, heading, line = start, None, [start]
        while np.abs(w).max() < 1 and len(line) < 400:
            axis = local_axes(sheet, w)[which]
            sense = sign * np.sign(axis.sum() or 1.0) if heading is None else axis @ heading
            heading = axis * np.sign(sense)
            w = w + STEP * heading
            line.append(w)
        halves.append(np.clip(line, -1, 1))
    return np.concatenate([halves[0][:0:-1], halves[1]])


def _measure(sheet: Sheet, grid: Floats) -> Measured:
    first = np.array([local_axes(sheet, w)[0] for w in grid])
    points = sheet.points(square(201, 1.0))
    centred = points - points.mean(axis=0)
    axes = np.linalg.svd(centred, full_matrices=False)[2]
    return Measured(first, axes, float((centred**2).sum(axis=1).mean()))


def _angles(a: Floats, b: Floats) -> Floats:
    """The angles in degrees between the axes in the rows of a and b."""
    return np.rad2deg(np.arccos(np.clip(np.abs((a * b).sum(axis=1)), 0, 1)))


def _row(name: str, found: Measured, base: Measured) -> Row:
    return {
        "sheet": name,
        "largest_move": SHEETS[name].height,
        "from_factor": float(_angles(found.local, np.array([[1.0, 0.0]])).mean()),
        "local_turn": float(_angles(found.local, base.local).mean()),
        "global_turn": float(_angles(found.axes, base.axes).max()),
        "variance": found.variance,
        "variance_change": found.variance / base.variance - 1,
    }


def _picture() -> bytes:
    rng = np.random.default_rng(0)
    flat = np.array([[STRETCH, 0.0, 0.3], [0.0, 1.0, 0.3]]) / np.sqrt(3)
    cloud = rng.normal(size=(300, 2)) @ flat + 0.12 * rng.normal(size=(300, 3))
    return sheets(cloud, [_panel(sheet) for sheet in SHEETS.values()])


def _panel(sheet: Sheet) -> tuple[Floats, Sequence[Sequence[Floats]]]:
    """The surface (m, m, 3), and the lines of the first and of the second component."""
    surface = sheet.points(square(121, 1.0)).reshape(121, 121, 3)
    lines = []
    for which in (0, 1):
        across = local_axes(sheet, np.zeros(2))[1 - which]
        starts = [shift * across for shift in (-0.5, 0.0, 0.5)]
        lines.append([sheet.points(traversal(sheet, start, which)) for start in starts])
    return surface, lines


figure2 = Exhibit(
    "Figure 2", "Principal components of a plane, a surface, a perturbed surface", make
)
