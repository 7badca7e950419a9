"""Proposition 1 and Lemmas 1 and 2 of Zietlow et al. 2021."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import gordium as gd
from gordium.theory import absorb_diagonals, best_scale, trace_gap


def test_trace_gap_of_two_eigenvalues_is_the_square_of_the_difference_of_their_roots():
    # a + b - 2 sqrt(ab) = (sqrt a - sqrt b)^2; a rotation changes neither trace nor determinant.
    turn = np.array([[0.6, -0.8], [0.8, 0.6]])
    assert trace_gap(turn @ np.diag([9.0, 4.0]) @ turn.T) == pytest.approx(1.0)
    assert trace_gap(np.diag([5.0, 0.0])) == 5.0


@pytest.mark.parametrize("n", [1, 3, 6])
def test_trace_gap_is_positive_but_for_multiples_of_the_identity(n):
    rng = np.random.default_rng(n)
    assert trace_gap(2.5 * np.eye(n)) == pytest.approx(0.0, abs=1e-12)
    for _ in range(20):
        root = rng.normal(size=(n, n))
        m = root @ root.T
        direct = np.trace(m) - n * np.linalg.det(m) ** (1 / n)
        assert trace_gap(m) == pytest.approx(direct, abs=1e-9)
        assert n == 1 or trace_gap(m) > 1e-6


def test_trace_gap_refuses_what_the_proposition_does_not_cover():
    with pytest.raises(ValueError, match="symmetric"):
        trace_gap([[1.0, 2.0], [0.0, 1.0]])
    with pytest.raises(ValueError, match="no negative eigenvalue"):
        trace_gap(np.diag([1.0, -1.0]))


def test_best_scale_is_what_a_search_finds():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=50) * 3, rng.uniform(0.1, 0.9, size=50)

    def polarised(log_c):
        c = np.exp(log_c)
        return (c**2 * x**2 - np.log(c**2 * y**2)).sum()

    def whole(log_c):
        c = np.exp(log_c)
        return (c**2 * (x**2 + y**2) - np.log(c**2 * y**2) - 1).sum() / 2

    assert best_scale(x) == pytest.approx(np.exp(minimize_scalar(polarised).x), rel=1e-6)
    assert best_scale(x, y) == pytest.approx(np.exp(minimize_scalar(whole).x), rel=1e-6)


def test_best_scale_gives_unit_variance_and_not_the_printed_constant():
    # Two means of 2: c = sqrt(2 / 8) = 1/2 makes their mean square 1; printed is sqrt(8).
    assert best_scale([2.0, -2.0]) == 0.5
    with pytest.raises(ValueError, match="all means are 0"):
        best_scale([0.0, 0.0])
    with pytest.raises(ValueError, match="one length"):
        best_scale([1.0, 2.0], [1.0])


def test_an_empty_diagonal_absorbs():
    m = np.array([[0.0, 2.0], [3.0, 0.0]])
    assert not absorb_diagonals(m, [5.0, 7.0]).any()
    full = m + np.diag([1.0, 10.0])
    assert absorb_diagonals(full, [5.0, 7.0]).tolist() == [[5.0, 70.0], [5.0, 70.0]]
    with pytest.raises(ValueError, match="n x n"):
        absorb_diagonals(m, [1.0])


def test_theory_is_public():
    assert gd.theory.trace_gap is trace_gap
