"""B.5 of Stühmer et al. 2020: beta changes the free energy and not where it is greatest."""

import numpy as np
from numpy.typing import NDArray

from gordium.exhibits.base import Effect, Made, Place
from gordium.exhibits.stuehmer_example import STARTS, Example, example, learned, off_axis
from gordium.report import plane
from gordium.theory import factor_analysis as fa
from gordium.theory.factor_analysis import Array

BETAS = (1.0, 1.5, 2.0, 4.0, 8.0)
LEARNED = (1.0, 1.25, 1.5)
ANGLES = np.linspace(0, np.pi, 181)


def make(place: Place) -> Made:
    given = example()
    energies = {beta: sweep(given, beta) for beta in BETAS}
    amplitudes = {beta: float(np.ptp(energy)) for beta, energy in energies.items()}
    found = {
        beta: [learned(given, 2, beta, seed) for seed in range(STARTS[place.scale])]
        for beta in LEARNED
    }
    rows = [
        {"beta": beta, "angle": float(a), "free_energy": float(v)}
        for beta, energy in energies.items()
        for a, v in zip(ANGLES, energy, strict=True)
    ]
    return Made(
        (
            "beta",
            "amplitude of the free energy, nats a point",
            "the same times beta",
            "best angle",
        ),
        [_line(beta, energies[beta]) for beta in BETAS],
        rows,
        [*_effects(energies, amplitudes), *_fits(found, given)],
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


def sweep(given: Example, beta: float) -> Array:
    """F_beta of (2) at each rotation of the aligned weights, nats a point."""
    turned = [fa.turned(given.weights, angle) for angle in ANGLES]
    return np.array(
        [fa.best_free_energy(w, given.noise, given.second_moment, beta).value for w in turned]
    )


def _line(beta: float, energy: Array) -> tuple[str, ...]:
    amplitude = float(np.ptp(energy))
    best = np.degrees(ANGLES[_greatest(energy)])
    angles = ", ".join(f"{angle:.0f}" for angle in best)
    return (f"{beta:g}", f"{amplitude / beta:.4f}", f"{amplitude:.4f}", angles)


def _greatest(energy: Array) -> NDArray[np.intp]:
    return np.flatnonzero(energy > energy.max() - 1e-9)


def _effects(energies: dict[float, Array], amplitudes: dict[float, float]) -> list[Effect]:
    best = {tuple(_greatest(energy).tolist()) for energy in energies.values()}
    scaled = [amplitude / beta for beta, amplitude in amplitudes.items()]
    return [
        Effect(
            "the best rotation is the orthogonal one for every beta",
            best == {(0, 90, 180)},
            f"betas {', '.join(f'{b:g}' for b in energies)}: maxima at 0, 90 and 180 degrees only"
            if best == {(0, 90, 180)}
            else f"maxima at {sorted(best)}",
        ),
        Effect(
            "beta reduces the amplitude of the free energy",
            bool((np.diff(scaled) < 0).all()),
            " > ".join(f"{a:.4f}" for a in scaled),
        ),
    ]


def _fits(found: dict[float, list[Array]], given: Example) -> list[Effect]:
    worst = max(off_axis(w, given.weights) for fits in found.values() for w in fits)
    lengths = {beta: np.linalg.norm(fits[0], axis=0) for beta, fits in found.items()}
    shown = ", ".join(f"beta {b:g}: {v[0]:.3f} and {v[1]:.3f}" for b, v in lengths.items())
    spread = max(float(np.ptp([v[k] for v in lengths.values()])) for k in (0, 1))
    return [
        Effect(
            "beta does not change the directions that are learned",
            worst < 0.1,
            f"all are within {worst:.1e} degrees of the principal axes",
        ),
        Effect(
            "beta does not change the model that is learned", spread < 1e-3, f"lengths: {shown}"
        ),
    ]


def _picture(energies: dict[float, Array]) -> bytes:
    degrees = np.degrees(ANGLES)

    def lines(power: int) -> list[plane.Line]:
        return [
            plane.Line(f"beta {beta:g}", degrees, (energy - energy.max()) / beta**power)
            for beta, energy in energies.items()
        ]

    panels = {"free energy, less its maximum": lines(1), "the same times beta": lines(0)}
    return plane.curves(panels, x="rotation of the weights, degrees", y="nats a point")
