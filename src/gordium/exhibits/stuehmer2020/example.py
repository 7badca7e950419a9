"""The worked example of factor analysis that B.3 to B.5 of Stühmer et al. 2020 share.

The paper prints no parameters; these are ours.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from gordium.theory import factor_analysis as fa
from gordium.theory.factor_analysis import Array

N_POINTS = 100
VARIANCE = 0.1
TRUE_LENGTHS = (0.8, 0.25)
TRUE_ANGLE = 30.0
STARTS = {"smoke": 1, "laptop": 5, "paper": 20}


class Example(NamedTuple):
    """Two-dimensional data by their second moment, the noise, and the best aligned weights."""

    second_moment: Array
    noise: Array
    weights: Array


def example() -> Example:
    """Draw points of a model with orthogonal weights; fit the weights of maximum likelihood."""
    rng = np.random.default_rng(0)
    angle = np.radians(TRUE_ANGLE)
    axes = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    x = rng.standard_normal((N_POINTS, 2)) * TRUE_LENGTHS @ axes.T
    x += np.sqrt(VARIANCE) * rng.standard_normal((N_POINTS, 2))
    moment = x.T @ x / N_POINTS
    return Example(moment, np.full(2, VARIANCE), fa.fit_weights(moment, VARIANCE, 2))


def learn(given: Example, n_components: int, beta: float, seed: int) -> Array:
    """Maximise F_beta from a random start; return the weights, longest column first."""

    def loss(flat: Array) -> float:
        weights = flat.reshape(2, n_components)
        return -fa.best_free_energy(weights, given.noise, given.second_moment, beta).value

    start = np.random.default_rng(seed).standard_normal(2 * n_components)
    found = minimize(loss, start, options={"gtol": 1e-8}).x.reshape(2, n_components)
    return found[:, np.argsort(-np.linalg.norm(found, axis=0))]


def off_axis(weights: Array, axes: Array) -> float:
    """The largest angle in degrees between a column and its principal axis, as lines."""
    lengths = np.linalg.norm(weights, axis=0) * np.linalg.norm(axes, axis=0)
    cosines = np.abs((weights * axes).sum(axis=0)) / lengths
    return float(np.degrees(np.arccos(np.minimum(cosines, 1))).max())
