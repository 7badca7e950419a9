"""Rolinek et al. 2019, Figure S4: both scores over beta."""

from statistics import fmean
from typing import NamedTuple

from gordium.exhibits.base import Effect, Made, Place
from gordium.exhibits.rolinek_models import SETUPS, Plan, Row, mean_and_spread, measured_runs
from gordium.methods import BetaVAE
from gordium.report import score_figures


class Sweep(NamedTuple):
    betas: tuple[float, ...]
    n_seeds: int


SYNTHETIC = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0)
# The paper shows curves and names no grid; these spans are ours.
SWEEPS: dict[str, dict[str, Sweep]] = {
    "smoke": {"synthetic-linear": Sweep((1e-3, 1.0), 1)},
    "laptop": {
        "synthetic-linear": Sweep((1e-3, 1e-2, 0.05, 0.1, 0.3, 1.0), 2),
        "synthetic-nonlinear": Sweep((1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0), 2),
        "dsprites": Sweep((1.0, 4.0, 16.0, 64.0), 2),
    },
    "paper": {
        "synthetic-linear": Sweep(SYNTHETIC, 10),
        "synthetic-nonlinear": Sweep(SYNTHETIC, 10),
        "dsprites": Sweep((0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0), 10),
    },
}


def make(place: Place) -> Made:
    sweeps = SWEEPS[place.scale]
    plans = [plan for name, sweep in sweeps.items() for plan in _plans(place.scale, name, sweep)]
    rows = measured_runs(place, plans, title="Figure S4")
    panels = {
        name: {
            score: [(row["beta"], row[score]) for row in rows if row["data"] == name]
            for score in ("disentanglement", "dto", "active_units")
        }
        for name in sweeps
    }
    marks = {name: SETUPS[name](place.scale).beta for name in sweeps}
    picture = score_figures.scores_over_strength(panels, strength="beta", marks=marks)
    table = [_line(name, beta, rows) for name, sweep in sweeps.items() for beta in sweep.betas]
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
    return Made(head, table, rows, _effects(rows, sweeps), {"beta.png": picture}, notes)


def _plans(scale: str, name: str, sweep: Sweep) -> list[Plan]:
    setup = SETUPS[name](scale)
    return [
        Plan({"data": name, "beta": beta}, setup, BetaVAE(beta=beta), seed)
        for seed in range(sweep.n_seeds)
        for beta in sweep.betas
    ]


def _values(rows: list[Row], name: str, beta: float, score: str) -> list[float]:
    return [row[score] for row in rows if row["data"] == name and row["beta"] == beta]


def _line(name: str, beta: float, rows: list[Row]) -> tuple[str, ...]:
    scores = (_values(rows, name, beta, score) for score in ("disentanglement", "dto"))
    active = " ".join(str(n) for n in _values(rows, name, beta, "active_units"))
    return (name, f"{beta:g}", *(mean_and_spread(values) for values in scores), active)


def _effects(rows: list[Row], sweeps: dict[str, Sweep]) -> list[Effect]:
    effects = []
    for name, sweep in sweeps.items():
        scores = [fmean(_values(rows, name, b, "disentanglement")) for b in sweep.betas]
        active = [fmean(_values(rows, name, b, "active_units")) for b in sweep.betas]
        best = max(range(len(scores)), key=scores.__getitem__)
        effects += [
            Effect(
                f"{name}: the best beta lies between too small and too large ones",
                0 < best < len(scores) - 1,
                f"best {sweep.betas[best]:g} with {scores[best]:.3f}; smallest {scores[0]:.3f}, "
                f"largest {scores[-1]:.3f}",
            ),
            Effect(
                f"{name}: too large a beta prunes units, a small one does not",
                active[-1] < active[0],
                f"active units {active[0]:g} at {sweep.betas[0]:g}, {active[-1]:g} at "
                f"{sweep.betas[-1]:g}",
            ),
        ]
    return effects
