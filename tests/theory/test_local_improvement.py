"""Lemmas S4 and S5 of Rolinek et al. 2019: any point but an optimum can be improved nearby."""

import numpy as np
import pytest

from gordium.theory import column_norm_product, equalise, largest_cosine, orthogonalise


def test_lemma_s4():
    rng = np.random.default_rng(0)
    for delta in (1e-3, 0.1, 10.0):
        values = rng.exponential(size=5)
        changed = equalise(values, delta)
        assert changed.sum() < values.sum()
        assert changed.prod() == pytest.approx(values.prod())
        assert np.all(np.abs(np.log(changed / values)) <= np.log1p(delta) + 1e-12)


def test_equal_values_stay():
    np.testing.assert_allclose(equalise(np.full(3, 2.0), 0.1), 2.0)


def test_lemma_s4_with_a_zero():
    # Values need not be positive: the product stays 0 and the sum falls by 2 - 2 / 1.25.
    assert equalise(np.array([0.0, 2.0, 1.0]), 0.25).tolist() == [0.0, 1.6, 1.0]
    assert equalise(np.zeros(2), 0.1).tolist() == [0.0, 0.0]


def test_lemma_s5():
    rng = np.random.default_rng(1)
    for delta in (1e-3, 0.1, 1.0):
        matrix = rng.standard_normal((4, 4))
        changed = orthogonalise(matrix, delta)
        assert column_norm_product(changed) < column_norm_product(matrix)
        assert abs(np.linalg.det(changed)) == pytest.approx(abs(np.linalg.det(matrix)))
        # R is a rotation in one plane by at most delta: |R - I| <= 2 sqrt(2) sin(delta / 2).
        turn = np.linalg.solve(matrix, changed)
        np.testing.assert_allclose(turn @ turn.T, np.eye(4), atol=1e-9)
        assert np.linalg.norm(turn - np.eye(4)) <= 2 * np.sqrt(2) * np.sin(delta / 2) + 1e-9


def test_lemma_s5_at_columns_of_equal_length():
    # The gradient vanishes here: the product is at a maximum, and a small turn still helps.
    matrix = np.array([[1.0, 0.5], [0.5, 1.0]])
    assert column_norm_product(orthogonalise(matrix, 0.01)) < 1.25


def test_two_columns_become_orthogonal_in_one_large_step():
    matrix = np.random.default_rng(2).standard_normal((2, 2))
    assert largest_cosine(orthogonalise(matrix, np.pi)) < 1e-12


def test_repeated_small_steps_end_at_the_determinant():
    matrix = np.random.default_rng(3).standard_normal((3, 3))
    end = matrix
    for _ in range(400):
        end = orthogonalise(end, 0.05)
    assert column_norm_product(end) == pytest.approx(abs(np.linalg.det(matrix)), rel=1e-9)
