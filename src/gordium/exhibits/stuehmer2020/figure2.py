"""Figure 2 of Stühmer et al. 2020: unit spheres of the L^p-nested function of Eq. 6."""

from collections.abc import Callable
from itertools import product

import numpy as np
import torch

from gordium.arrays import Floats
from gordium.exhibits.base import Exhibit, Made, Place
from gordium.exhibits.stuehmer2020 import claims
from gordium.priors import LpNested
from gordium.report.figures.surfaces import surfaces

EXPONENTS = (1.0, 2.0, 9.0)
RESOLUTION = {"smoke": 21, "laptop": 61, "paper": 121}
NODES = {"smoke": 100, "laptop": 500, "paper": 2000}


def make(place: Place) -> Made:
    """Draw the nine unit spheres and compare their volumes with Eq. 8."""
    cases = list(product(EXPONENTS, EXPONENTS))
    volumes = {case: _volume(*case, NODES[place.scale]) for case in cases}
    closed = {case: _closed_volume(*case) for case in cases}
    shown = {f"$p_0={a:g}$, $p_1={b:g}$": _radius_of(a, b) for a, b in cases}
    rows = [
        {"p0": a, "p1": b, "volume": volumes[a, b], "volume_by_eq_8": closed[a, b]}
        for a, b in cases
    ]
    return Made(
        ("p0", "p1", "volume inside, by quadrature", "volume inside, by Eq. 8"),
        [(f"{a:g}", f"{b:g}", f"{volumes[a, b]:.5f}", f"{closed[a, b]:.5f}") for a, b in cases],
        rows,
        {"contours.png": surfaces(shown, n_columns=3, resolution=RESOLUTION[place.scale])},
        (
            "Each surface is where (|z1|^p0 + (|z2|^p1 + |z3|^p1)^(p0/p1))^(1/p0) is 1: in every "
            "direction u the point u / f(u).",
        ),
    )


def nest(p0: float, p1: float) -> LpNested:
    """The function of Eq. 6: z1 by itself, z2 and z3 in one subspace."""
    above, within = (torch.tensor(e, dtype=torch.float64) for e in (p0, [p1, p1]))
    return LpNested(above, within, (1, 2))


def radius(p0: float, p1: float, z: Floats) -> Floats:
    """f(z) of Eq. 6 for each row."""
    return nest(p0, p1).radius(torch.from_numpy(z)).numpy()


def _radius_of(p0: float, p1: float) -> Callable[[Floats], Floats]:
    return lambda unit: 1 / radius(p0, p1, unit)


def _closed_volume(p0: float, p1: float) -> float:
    """The unit ball's volume by Eq. 8: a third of S_f(1), since the surface grows as R^2."""
    return float(nest(p0, p1).log_surface().exp() / 3)


def _volume(p0: float, p1: float, n: int) -> float:
    """Eight times the integral of r(u)^3 / 3 over the directions of an octant, by midpoints."""
    height, angle = np.meshgrid(*2 * [(np.arange(n) + 0.5) / n])
    across, angle = np.sqrt(1 - height**2), angle * np.pi / 2
    unit = np.stack([height, across * np.cos(angle), across * np.sin(angle)], axis=-1)
    cubes = radius(p0, p1, unit.reshape(-1, 3)) ** -3
    return float(8 * np.pi / 2 * cubes.mean() / 3)


figure2 = Exhibit("Figure 2", "Contours of L^p-nested functions", make, claims.figure2)
