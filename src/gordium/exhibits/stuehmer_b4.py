"""B.4 of Stühmer et al. 2020: a spare component costs free energy and is pruned."""

import numpy as np

from gordium.exhibits.base import Effect, Made, Place
from gordium.exhibits.stuehmer_example import N_POINTS, STARTS, VARIANCE, example, learned, off_axis
from gordium.report import plane
from gordium.theory import factor_analysis as fa
from gordium.theory.factor_analysis import Array

SHARES = np.linspace(0, np.sqrt(0.5), 101)
SHOWN = (0.0, 0.25, 0.5, float(np.sqrt(0.5)))


def make(place: Place) -> Made:
    given = example()
    likelihood, energy = np.array([_values(share) for share in SHARES]).T
    found = [learned(given, 3, 1.0, seed) for seed in range(STARTS[place.scale])]
    gains = [
        fa.log_likelihood(given.weights, given.noise, given.second_moment)
        - fa.best_free_energy(w, given.noise, given.second_moment).value
        for w in found
    ]
    rows = [
        {"share": float(s), "log_likelihood": float(a), "free_energy": float(b)}
        for s, a, b in zip(SHARES, likelihood, energy, strict=True)
    ]
    lines = [
        plane.Line("log-likelihood", SHARES, likelihood),
        plane.Line("free energy", SHARES, energy),
    ]
    return Made(
        (
            "share of the third component",
            "log-likelihood, nats a point",
            "free energy, nats a point",
        ),
        [(f"{s:.3f}", *(f"{v:.4f}" for v in _values(s))) for s in SHOWN],
        rows,
        [*_effects(likelihood, energy), *_pruned(found, given.weights, gains)],
        {
            "pruning.png": plane.curves(
                {"": lines}, x="share of the third component", y="nats a point"
            )
        },
        (
            "The second axis is shared by two columns, (0, sqrt(1 - a^2)) and (0, a), beside a "
            f"first column (1, 0), with noise of variance {VARIANCE}; a is the share, from 0 to "
            "an equal one (the paper goes to 1/2). The data have exactly the model's covariance.",
            f"The learned weights are those of the {N_POINTS} points of stuehmer2020-b3.",
        ),
    )


def shared(share: float) -> Array:
    """Eq. 17 as we read it: three columns, W W^T = I for every share."""
    return np.array([[1.0, 0.0, 0.0], [0.0, np.sqrt(1 - share**2), share]])


def _values(share: float) -> tuple[float, float]:
    weights, noise = shared(share), np.full(2, VARIANCE)
    moment = np.eye(2) + np.diag(noise)
    energy = fa.best_free_energy(weights, noise, moment)
    return fa.log_likelihood(weights, noise, moment), energy.value


def _effects(likelihood: Array, energy: Array) -> list[Effect]:
    spread, gap = float(np.ptp(likelihood)), likelihood - energy
    return [
        Effect(
            "all shares have the same likelihood",
            spread < 1e-9,
            f"it varies by {spread:.1e} nats a point",
        ),
        Effect(
            "the free energy is greatest, and tight, where the third component is none",
            bool(gap[0] < 1e-9 and (np.diff(gap) > 0).all()),
            f"the gap rises from {gap[0]:.1e} to {gap[-1]:.3f} nats a point",
        ),
    ]


def _pruned(found: list[Array], axes: Array, gains: list[float]) -> list[Effect]:
    rest = max(float(np.linalg.norm(w[:, 2]) / np.linalg.norm(w[:, 1])) for w in found)
    worst = max(off_axis(w[:, :2], axes) for w in found)
    return [
        Effect(
            "learned from random starts, one of three components is pruned, two are orthogonal",
            rest < 0.01 and worst < 0.1,
            f"{len(found)} starts: the third column has at most {rest:.1e} of the second's length, "
            f"the others are within {worst:.1e} degrees of the principal axes",
        ),
        Effect(
            "the pruned solution still has the greatest likelihood",
            max(gains) < 1e-6,
            f"its free energy is within {max(gains):.1e} nats a point of the best log-likelihood",
        ),
    ]
