"""B.5 of Stühmer et al. 2020: beta changes the free energy, but not where it is greatest."""

import numpy as np

from gordium.exhibits.base import Exhibit, Made, Place, Row
from gordium.exhibits.stuehmer2020 import claims
from gordium.exhibits.stuehmer2020 import example as worked
from gordium.report.figures import plane
from gordium.theory import factor_analysis as fa
from gordium.theory.factor_analysis import Array

BETAS = (1.0, 1.5, 2.0, 4.0, 8.0)
LEARNED = (1.0, 1.25, 1.5)
ANGLES = np.linspace(0, np.pi, 181)


def make(place: Place) -> Made:
    """Sweep the rotation at each beta, and learn weights from random starts."""
    given = worked.example()
    energies = {beta: sweep(given, beta) for beta in BETAS}
    rows: list[Row] = [
        {"beta": beta, "angle": float(a), "free_energy": float(v)}
        for beta, energy in energies.items()
        for a, v in zip(ANGLES, energy, strict=True)
    ]
    rows += [
        {"beta": beta, "start": seed, **_fit(worked.learn(given, 2, beta, seed), given)}
        for beta in LEARNED
        for seed in range(worked.STARTS[place.scale])
    ]
    return Made(
        ("beta", "amplitude of the free energy, nats a point", "the same times beta", "best angle"),
        [_line(beta, energies[beta]) for beta in BETAS],
        rows,
        {"beta.png": _picture(energies)},
        (
            "The free energy is E log p(x | z) / beta - KL, that of likelihoods to the power "
            "1 / beta, as in B.1 and (16): this is what B.5 speaks of. Its amplitude always falls "
            "with beta. The objective of the beta-VAE, (2), is beta times that; its amplitude may "
            "rise before it falls.",
            "Here D is fixed. The best column on an axis has the squared length max(0, variance - "
            "beta noise): directions stay, lengths do not, and a weak axis is pruned.",
        ),
    )


def _fit(weights: Array, given: worked.Example) -> Row:
    lengths = np.linalg.norm(weights, axis=0)
    return {
        "degrees_off_pca": worked.off_axis(weights, given.weights),
        "length1": float(lengths[0]),
        "length2": float(lengths[1]),
    }


def sweep(given: worked.Example, beta: float) -> Array:
    """F_beta of (2) at each rotation of the aligned weights, in nats per point."""
    turned = [fa.turn(given.weights, angle) for angle in ANGLES]
    return np.array(
        [fa.best_free_energy(w, given.noise, given.second_moment, beta).value for w in turned]
    )


def _line(beta: float, energy: Array) -> tuple[str, ...]:
    amplitude = float(np.ptp(energy))
    best = np.degrees(ANGLES[energy > energy.max() - 1e-9])
    angles = ", ".join(f"{angle:.0f}" for angle in best)
    return (f"{beta:g}", f"{amplitude / beta:.4f}", f"{amplitude:.4f}", angles)


def _picture(energies: dict[float, Array]) -> bytes:
    degrees = np.degrees(ANGLES)

    def lines(power: int) -> list[plane.Line]:
        return [
            plane.Line(f"beta {beta:g}", degrees, (energy - energy.max()) / beta**power)
            for beta, energy in energies.items()
        ]

    panels = {"free energy, less its maximum": lines(1), "the same times beta": lines(0)}
    return plane.curves(panels, x="rotation of the weights, degrees", y="nats a point")


b5 = Exhibit("B.5", "What beta does to the free energy", make, claims.b5)
