"""Theorem 2 of Rolinek et al. 2019 in numbers: the problem (18, 19), its bound, and a descent.

Jacobians are (N, n, d). A rotation of the latent space at sample i turns J_i into J_i R_i with an
orthogonal R_i, the free V_i of the paper. `budget` is C_1 of (S35).
"""

from typing import NamedTuple

import numpy as np

from gordium.arrays import Floats
from gordium.theory.columns import volume
from gordium.theory.precision import stochastic_loss

LEAST_STEP = 1e-12


class Point(NamedTuple):
    """The variables of the problem: orthogonal matrices (N, d, d) and log sigma^2 (N, d)."""

    rotations: Floats
    log_variances: Floats


class Descent(NamedTuple):
    """Where a descent ended, and the objective (18) at its start and after every step."""

    end: Point
    losses: Floats


def objective(jacobians: Floats, point: Point) -> float:
    """(18): sum_i log E |J_i R_i eps|^2."""
    losses = stochastic_loss(jacobians @ point.rotations, np.exp(point.log_variances))
    return float(np.log(losses).sum())


def lower_bound(jacobians: Floats, budget: float) -> float:
    """(S40): N log d - C_1 / d + (2 / d) sum_i log det^dagger(J_i)."""
    n, _, d = jacobians.shape
    return float(n * np.log(d) - budget / d + 2 / d * np.log(volume(jacobians)).sum())


def sample_bound(jacobian: Floats, budget: float) -> float:
    """Corollary 1: the least E |J eps|^2 of one sample, d (det^dagger(J)^2 exp(-C))^(1/d).

    (21) fixes L of (10), and with it `budget`, which is C = sum_j -log sigma_j^2: see `log_budget`.
    """
    d = jacobian.shape[1]
    return float(d * np.exp((2 * np.log(volume(jacobian)) - budget) / d))


def random_start(n: int, d: int, budget: float, rng: np.random.Generator) -> Point:
    """Draw uniform orthogonal matrices, and Gaussian log-variances shifted to keep the budget."""
    q, r = np.linalg.qr(rng.standard_normal((n, d, d)))
    signs = np.sign(np.diagonal(r, axis1=1, axis2=2))
    log_variances = rng.standard_normal((n, d))
    log_variances = log_variances - log_variances.mean() - budget / log_variances.size
    return Point(q * signs[:, None, :], log_variances)


def descend(
    jacobians: Floats, start: Point, *, steps: int = 2000, tolerance: float = 1e-9
) -> Descent:
    """Gradient descent on (18) that keeps (19) and stays in the orthogonal group.

    The step size halves until a step lowers the objective enough, and doubles after it. The
    descent ends when the gradient is shorter than `tolerance`, when rounding leaves no step that
    lowers the objective, or after `steps`.
    """
    (rotations, log_variances), size = start, 1.0
    losses = [objective(jacobians, start)]
    for _ in range(steps):
        turn, change = _gradient(jacobians, Point(rotations, log_variances))
        slope = float(np.sum(turn**2) / 2 + np.sum(change**2))
        if slope < tolerance**2:
            break
        while size > LEAST_STEP:
            moved = Point(rotations @ _cayley(-size * turn), log_variances - size * change)
            loss = objective(jacobians, moved)
            if loss <= losses[-1] - 0.1 * size * slope:
                break
            size /= 2
        else:
            break
        (rotations, log_variances), size = moved, 2 * size
        losses.append(loss)
    return Descent(Point(rotations, log_variances), np.array(losses))


def _gradient(jacobians: Floats, point: Point) -> tuple[Floats, Floats]:
    """The gradient: skew matrices (N, d, d), and in log sigma^2 the part that keeps (S35)."""
    turned = jacobians @ point.rotations
    gram = np.swapaxes(turned, 1, 2) @ turned
    variances = np.exp(point.log_variances)
    loss = stochastic_loss(turned, variances)[:, None]
    shares = np.diagonal(gram, axis1=1, axis2=2) * variances / loss
    weights = variances / loss
    turn = 2 * gram * (weights[:, None, :] - weights[:, :, None])
    return turn, shares - shares.mean()


def _cayley(skew: Floats) -> Floats:
    """An orthogonal matrix that is I + skew to first order."""
    one = np.eye(skew.shape[-1])
    return np.asarray(np.linalg.solve(one - skew / 2, one + skew / 2), dtype=np.float64)
