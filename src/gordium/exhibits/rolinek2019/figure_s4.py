"""Rolinek et al. 2019, Figure S4: both scores over beta."""

from gordium.exhibits.base import Exhibit, Made, Place, Row
from gordium.exhibits.number_text import mean_and_spread
from gordium.exhibits.rolinek2019 import claims
from gordium.exhibits.rolinek2019.models import SETUPS, Plan, list_values, measure_runs
from gordium.exhibits.runs import pick_seeds
from gordium.methods import BetaVAE
from gordium.report.figures import scores as score_figures
from gordium.report.names import say_metric

SCORES = ("disentanglement", "dto", "active_units")
SYNTHETIC = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0)
# The paper shows curves and names no grid; these spans are ours.
SWEEPS: dict[str, dict[str, tuple[float, ...]]] = {
    "smoke": {"synthetic-linear": (1e-3, 1.0)},
    "laptop": {
        "synthetic-linear": (1e-3, 1e-2, 0.05, 0.1, 0.3, 1.0),
        "synthetic-nonlinear": SYNTHETIC,
        "dsprites": (1.0, 4.0, 16.0, 64.0),
    },
    "paper": {
        "synthetic-linear": SYNTHETIC,
        "synthetic-nonlinear": SYNTHETIC,
        "dsprites": (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0),
    },
}
SEEDS = {"smoke": range(1), "laptop": range(2), "paper": pick_seeds(10)}


def make(place: Place) -> Made:
    """Train each data set's sweep of betas and plot the scores over beta."""
    sweeps = SWEEPS[place.scale]
    plans = declare_plans(place.scale)
    found = measure_runs(place, plans, title="Figure S4")
    panels = {
        name: {
            say_metric(score): [
                (float(row["beta"]), float(row[score])) for row in found if row["data"] == name
            ]
            for score in SCORES
        }
        for name in sweeps
    }
    marks = {name: SETUPS[name](place.scale).beta for name in sweeps}
    picture = score_figures.scores_over_strength(panels, strength="beta", marks=marks)
    table = [_line(name, beta, found) for name, betas in sweeps.items() for beta in betas]
    notes = [
        "The figure is published without numbers. Dashed: the beta of the other exhibits at this "
        "scale. With two passive columns the distance to orthogonality says nothing: see the "
        "active units."
    ]
    if place.scale != "paper":
        notes.append(
            "Reduced at this scale, as rolinek2019-table2 is: so short that small betas have not "
            "had the time to align."
        )
    head = ("data", "beta", "disentanglement", "distance to orthogonality", "active units")
    return Made(head, table, found, {"beta.png": picture}, notes)


def declare_plans(scale: str) -> list[Plan]:
    """Every data set's sweep; below `paper`, of seeds 0 and 1, as the rows that are there."""
    return [
        Plan({"data": name, "beta": beta}, setup, BetaVAE(beta=beta), seed)
        for name, betas in SWEEPS[scale].items()
        for setup in [SETUPS[name](scale)]
        for seed in SEEDS[scale]
        for beta in betas
    ]


def _line(name: str, beta: float, rows: list[Row]) -> tuple[str, ...]:
    *scores, active = (list_values(rows, score, data=name, beta=beta) for score in SCORES)
    units = " ".join(f"{n:.0f}" for n in active)
    return (name, f"{beta:g}", *map(mean_and_spread, scores), units)


figureS4 = Exhibit("Figure S4", "Both scores over beta", make, claims.figure_s4)
