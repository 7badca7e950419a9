"""Rolinek et al. 2019, (22)-(26): the price of rotated columns, in two matrices."""

import numpy as np
from scipy.optimize import minimize_scalar

from gordium.arrays import Floats
from gordium.exhibits.base import Exhibit, Made, Place, Row, fill
from gordium.exhibits.published import read_published
from gordium.exhibits.rolinek2019 import claims
from gordium.report.figures import theory as theory_figures
from gordium.theory import least_loss, optimal_variances, rotation, sample_bound, stochastic_loss

M1 = np.array([[4.0, 1.0], [-3.0, 1.0], [5.0, -1.0]])  # (24)
M2 = M1 @ rotation(np.pi / 4).T
BUDGETS = (0.0, 1.0, 2.0)
DRAWS = {"smoke": 10_000, "laptop": 1_000_000, "paper": 1_000_000}


COLUMNS = {
    "matrix": "{matrix}",
    "C": "{budget:g}",
    "published": "{published}",
    "closed form": "{closed_form:.6f}",
    "search": "{search:.6f}",
    "drawn noise": "{drawn:.3f}",
    "σx² / σy²": "{variance_ratio:.6f}",
}


def make(place: Place) -> Made:
    """Find each minimum in closed form, by a search over the noise, and by drawn noise."""
    theirs = read_published("rolinek2019-worked-example")
    rows = [
        _measure(name, matrix, budget, DRAWS[place.scale])
        for name, matrix in (("m1", M1), ("m2", M2))
        for budget in BUDGETS
    ]
    printed = [f"{theirs[row['matrix']]:.6f}" if row["budget"] == 0 else "" for row in rows]
    shown = [{**row, "published": text} for row, text in zip(rows, printed, strict=True)]
    return Made(
        list(COLUMNS),
        fill(COLUMNS, shown),
        rows,
        {"angles.png": _figure()},
        [
            "(25) and (26) print exp(-C). Under (23) σx² σy² = exp(-C), so the minimum falls as "
            "exp(-C/2); the rows for C = 1 and 2 are found without this formula in the column "
            f"'search'. M1 is not the best either: its columns have the product "
            f"{M1[:, 0] @ M1[:, 1]:g}, and with orthogonal ones the minimum is "
            f"{sample_bound(M1, 0.0):.6f}."
        ],
    )


def _measure(name: str, matrix: Floats, budget: float, draws: int) -> Row:
    """The least loss of a matrix at a budget C, found in three ways."""
    variances = optimal_variances(matrix, budget)
    noise = np.random.default_rng(0).standard_normal((draws, 2)) * np.sqrt(variances)
    return {
        "matrix": name,
        "budget": budget,
        "closed_form": float(least_loss(matrix, budget)),
        "search": _search(matrix, budget),
        "drawn": float(np.mean(np.sum((noise @ matrix.T) ** 2, axis=1))),
        "variance_ratio": float(variances[0] / variances[1]),
    }


def _search(matrix: Floats, budget: float) -> float:
    """Search the minimum over the one parameter that (23) leaves free."""

    def loss(share: float) -> float:
        variances = np.exp([share - budget / 2, -share - budget / 2])
        return float(stochastic_loss(matrix, variances))

    return float(minimize_scalar(loss, tol=1e-12).fun)


def _figure() -> bytes:
    degrees = np.linspace(-45, 135, 721)
    prices = np.array([least_loss(M1 @ rotation(np.radians(a)).T, 0.0) for a in degrees])
    marks = {"M1": (0.0, float(least_loss(M1, 0.0))), "M2": (45.0, float(least_loss(M2, 0.0)))}
    return theory_figures.price_by_angle(degrees, prices, sample_bound(M1, 0.0), marks)


worked_example = Exhibit(
    "(22)-(26)", "The price of rotated columns, in two matrices", make, claims.worked_example
)
