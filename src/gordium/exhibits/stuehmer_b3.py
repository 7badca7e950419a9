"""B.3 of Stühmer et al. 2020: rotated weights keep their likelihood and lose free energy."""

import numpy as np

from gordium.exhibits.base import Effect, Made, Place, Value
from gordium.exhibits.published import published
from gordium.exhibits.stuehmer_example import (
    N_POINTS,
    STARTS,
    VARIANCE,
    Example,
    example,
    learned,
    off_axis,
)
from gordium.report import plane
from gordium.theory import factor_analysis as fa
from gordium.theory.factor_analysis import Array

ANGLES = np.linspace(0, np.pi, 181)
SHOWN = {"aligned": 0.0, "rotated": np.pi / 4}
NOTES = (
    "The paper prints no parameters for its example, so its numbers are shown as published and "
    f"are no target: ours are {N_POINTS} points of a model with noise of variance {VARIANCE}.",
    "B.3 writes the rotated weights as R(theta) W; the likelihood stays only if the latent "
    "space is rotated, W R(theta), and this is what is done here.",
)


def make(place: Place) -> Made:
    given = example()
    likelihood, energy = sweep(given, ANGLES)
    found = [learned(given, 2, 1.0, seed) for seed in range(STARTS[place.scale])]
    rows: list[dict[str, Value]] = [
        {"quantity": q, "angle": float(a), "value": float(v)}
        for q, values in (("log_likelihood", likelihood), ("free_energy", energy))
        for a, v in zip(ANGLES, values, strict=True)
    ]
    effects = [*_effects(likelihood, energy), _principal(found, given)]
    return Made(
        ("case", "quantity", "published, nats", "here, nats"),
        _table(given),
        rows,
        effects,
        {"posteriors.png": _posteriors(given), "rotation.png": _curves(likelihood, energy)},
        NOTES,
    )


def sweep(given: Example, angles: Array) -> tuple[Array, Array]:
    """Log-likelihood and free energy of all data at each rotation."""
    moment, noise = given.second_moment, given.noise
    turned = [fa.turned(given.weights, angle) for angle in angles]
    likelihood = [N_POINTS * fa.log_likelihood(w, noise, moment) for w in turned]
    energy = [N_POINTS * fa.best_free_energy(w, noise, moment).value for w in turned]
    return np.array(likelihood), np.array(energy)


def _table(given: Example) -> list[tuple[str, ...]]:
    numbers = published("stuehmer2020-b3")
    table: list[tuple[str, ...]] = []
    for case, angle in SHOWN.items():
        likelihood, energy = sweep(given, np.array([angle]))
        degrees = f"{case}, {np.degrees(angle):.0f} degrees"
        told = numbers[case]
        table.append((degrees, "log-likelihood", str(told["loglik"]), f"{likelihood[0]:.2f}"))
        table.append((degrees, "free energy", str(told["free_energy"]), f"{energy[0]:.2f}"))
    return table


def _effects(likelihood: Array, energy: Array) -> list[Effect]:
    spread = float(np.ptp(likelihood))
    gap = likelihood - energy
    quarter = len(ANGLES) // 4
    best = np.flatnonzero(gap < 1e-9)
    degrees = ", ".join(f"{np.degrees(ANGLES[i]):.0f}" for i in best)
    return [
        Effect(
            "the log-likelihood does not change under rotation",
            spread < 1e-9,
            f"it varies by {spread:.1e} nats over {len(ANGLES)} angles",
        ),
        Effect(
            "the free energy equals the log-likelihood where columns are orthogonal, only there",
            best.tolist() == [0, 2 * quarter, 4 * quarter],
            f"the gap is below 1e-9 nats at {degrees} degrees of those tried",
        ),
        Effect(
            "the free energy falls under rotation, by most at 45 degrees",
            int(gap.argmax()) in (quarter, 3 * quarter)
            and float(np.diff(gap[: quarter + 1]).min()) > 0,
            f"by {gap.max():.2f} nats at {np.degrees(ANGLES[gap.argmax()]):.0f} degrees",
        ),
    ]


def _principal(found: list[Array], given: Example) -> Effect:
    worst = max(off_axis(weights, given.weights) for weights in found)
    return Effect(
        "variational inference recovers the directions of principal component analysis",
        worst < 0.1,
        f"weights learned from {len(found)} random starts are within {worst:.1e} degrees of them",
    )


def _posteriors(given: Example) -> bytes:
    cases = []
    for case, angle in SHOWN.items():
        weights = fa.turned(given.weights, angle)
        true = np.linalg.inv(fa.posterior_precision(weights, given.noise))
        factorised = np.diag(fa.mean_field(weights, given.noise).variances)
        covariances = {"true": true, "mean field": factorised}
        cases.append(plane.Ellipses(case, weights, covariances))
    return plane.weights_and_posteriors(cases)


def _curves(likelihood: Array, energy: Array) -> bytes:
    degrees = np.degrees(ANGLES)
    lines = [
        plane.Line("log-likelihood", degrees, likelihood),
        plane.Line("free energy", degrees, energy),
    ]
    return plane.curves({"": lines}, x="rotation of the weights, degrees", y="nats")
