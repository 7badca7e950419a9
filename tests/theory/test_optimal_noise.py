"""Theorem 2 and Corollary 1 of Rolinek et al. 2019."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize

from gordium.theory import (
    descend,
    largest_cosine,
    lower_bound,
    objective,
    random_start,
    sample_bound,
    stochastic_loss,
)
from gordium.theory.optimal_noise import Point, _cayley, _gradient


def jacobians(n, d, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d + 2, d))


@pytest.mark.parametrize("seed", range(4))
def test_every_start_ends_at_the_bound_with_orthogonal_columns(seed):
    given, budget = jacobians(4, 3), 10.0
    start = random_start(4, 3, budget, np.random.default_rng(seed))
    found = descend(given, start, steps=5000, tolerance=1e-6)
    bound = lower_bound(given, budget)
    assert found.losses[0] > bound + 0.1
    assert found.losses[-1] == pytest.approx(bound, abs=1e-8)
    assert np.all(np.diff(found.losses) <= 1e-12)
    assert largest_cosine(given @ found.end.rotations).max() < 1e-4


def test_a_descent_keeps_the_budget_and_the_orthogonal_group():
    given = jacobians(3, 4)
    start = random_start(3, 4, 7.0, np.random.default_rng(0))
    end = descend(given, start, steps=300).end
    for point in (start, end):
        assert -point.log_variances.sum() == pytest.approx(7.0)
        products = np.swapaxes(point.rotations, 1, 2) @ point.rotations
        np.testing.assert_allclose(products, np.broadcast_to(np.eye(4), (3, 4, 4)), atol=1e-9)


def test_gradient_is_that_of_finite_differences():
    given = jacobians(1, 3)
    point = random_start(1, 3, 0.0, np.random.default_rng(1))
    turn, change = _gradient(given, point)
    pairs = [(0, 1), (0, 2), (1, 2)]

    def turned(angles):
        skew = np.zeros((1, 3, 3))
        for angle, (i, j) in zip(angles, pairs, strict=True):
            skew[0, i, j], skew[0, j, i] = angle, -angle
        return objective(given, Point(point.rotations @ _cayley(skew), point.log_variances))

    slopes = approx_fprime(np.zeros(3), turned, 1e-7)
    np.testing.assert_allclose([turn[0, i, j] for i, j in pairs], slopes, atol=1e-5)

    def changed(step):
        return objective(given, Point(point.rotations, point.log_variances + step))

    slopes = approx_fprime(np.zeros(3), changed, 1e-7)
    np.testing.assert_allclose(change[0], slopes - slopes.mean(), atol=1e-5)


def test_columns_of_equal_length_with_equal_noise_are_a_saddle_and_no_minimum():
    given = np.array([[[1.0, 0.5], [0.5, 1.0]]])
    still = Point(np.eye(2)[None], np.zeros((1, 2)))
    turn, change = _gradient(given, still)
    assert np.abs(turn).max() == np.abs(change).max() == 0
    nudged = Point(still.rotations, np.array([[1e-3, -1e-3]]))
    found = descend(given, nudged)
    assert objective(given, still) == pytest.approx(np.log(2.5))
    # det = 0.75: the bound is log(2 * 0.75).
    assert found.losses[-1] == pytest.approx(np.log(1.5), abs=1e-9)


def test_corollary_1_without_the_logarithm():
    jacobian = np.random.default_rng(2).standard_normal((4, 2))

    def loss(free):
        angle, share = free
        c, s = np.cos(angle), np.sin(angle)
        variances = np.exp([share - 0.5, -share - 0.5])  # the budget is 1
        return stochastic_loss(jacobian @ np.array([[c, -s], [s, c]]), variances)

    rng = np.random.default_rng(3)
    ends = [minimize(loss, rng.normal(scale=2, size=2), tol=1e-12) for _ in range(12)]
    np.testing.assert_allclose([end.fun for end in ends], sample_bound(jacobian, 1.0), rtol=1e-8)
