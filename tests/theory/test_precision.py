"""How noise is shared out among latent units (Rolinek et al. 2019, 4.1)."""

import numpy as np
import pytest
from scipy.optimize import minimize

from gordium.theory import (
    column_norm_product,
    least_loss,
    log_budget,
    mean_bound,
    optimal_variances,
    rotation,
    stochastic_loss,
)

M1 = np.array([[4.0, 1.0], [-3.0, 1.0], [5.0, -1.0]])  # (24)
M2 = M1 @ rotation(np.pi / 4).T


def test_the_worked_example_to_six_digits():
    assert f"{least_loss(M1, 0.0):.6f}" == "24.494897"  # 2 sqrt(50 * 3)
    assert f"{least_loss(M2, 0.0):.6f}" == "52.392748"  # 2 sqrt(61 * 45 / 4)


def test_columns_of_the_worked_example():
    np.testing.assert_allclose((M1**2).sum(axis=0), [50, 3])
    np.testing.assert_allclose((M2**2).sum(axis=0), [61 / 2, 45 / 2])
    root = np.sqrt(2)
    printed = np.array([[3, 5], [-4, -2], [6, 4]]) * root / 2  # the paper's M2
    np.testing.assert_allclose(M2, printed, atol=1e-12)


def test_the_stronger_unit_gets_the_precision():
    x, y = optimal_variances(M1, 1.7)
    assert x / y == pytest.approx(3 / 50)
    assert -np.log(x) - np.log(y) == pytest.approx(1.7)


@pytest.mark.parametrize("budget", [0.0, 1.0, 5.0])
def test_no_other_noise_of_the_budget_costs_less(budget):
    # sigma_x^2 = exp(-t), sigma_y^2 = exp(t - C): one free number, searched by SciPy.
    found = minimize(lambda t: 50 * np.exp(-t[0]) + 3 * np.exp(t[0] - budget), [0.0], tol=1e-12)
    assert least_loss(M1, budget) == pytest.approx(found.fun, rel=1e-9)
    assert least_loss(M1, budget) == pytest.approx(24.494897 * np.exp(-budget / 2), rel=1e-7)


def test_loss_is_the_mean_over_drawn_noise():
    variances = np.array([0.3, 2.0])
    noise = np.random.default_rng(0).standard_normal((400_000, 2)) * np.sqrt(variances)
    drawn = np.mean(np.sum((noise @ M1.T) ** 2, axis=1))
    assert stochastic_loss(M1, variances) == pytest.approx(50 * 0.3 + 3 * 2.0)
    assert drawn == pytest.approx(21.0, rel=0.01)


def test_proposition_s5():
    rng = np.random.default_rng(1)
    for _ in range(50):
        jacobian, variances = rng.standard_normal((6, 4)), rng.exponential(size=4)
        assert stochastic_loss(jacobian, variances) > mean_bound(jacobian, variances)
        equal = 1 / np.sum(jacobian**2, axis=0)
        assert stochastic_loss(jacobian, equal) == pytest.approx(mean_bound(jacobian, equal))
        # 4 columns that each add 1.
        assert mean_bound(jacobian, equal) == pytest.approx(4.0)


def test_the_minimum_depends_on_the_product_of_column_norms():
    rng = np.random.default_rng(2)
    jacobian = rng.standard_normal((7, 3))
    expected = 3 * column_norm_product(jacobian) ** (2 / 3) * np.exp(-0.6 / 3)
    assert least_loss(jacobian, 0.6) == pytest.approx(expected)


def test_budgets_of_19_and_s35_agree():
    rng = np.random.default_rng(3)
    means, log_variances = rng.standard_normal((5, 3)), rng.standard_normal((5, 3))
    constraint = 0.5 * np.sum(means**2 - log_variances - 1)  # (10), summed over samples
    assert log_budget(constraint, means) == pytest.approx(-log_variances.sum())
