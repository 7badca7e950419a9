"""x = W z + noise, as declared."""

import numpy as np
import pytest

from gordium.datasets import LinearGaussianSamples
from gordium.theory import LinearGaussian, best_fit, log_likelihood, posterior


def test_points_have_the_covariance_of_the_model():
    data = LinearGaussianSamples(n=200_000, dim=4, noise=0.5)
    x = data.samples.points.astype(np.float64)
    known = data.weights @ data.weights.T + 0.25 * np.eye(4)
    # Entries of a sample covariance are off by about sqrt(2 / n) times the largest variance.
    np.testing.assert_allclose(np.cov(x.T), known, atol=5 * 16.25 * np.sqrt(2 / 200_000))
    residual = x - data.samples.values @ data.weights.T
    assert residual.std() == pytest.approx(0.5, rel=0.01)


def test_columns_are_orthogonal_with_lengths_4_2_1():
    weights = LinearGaussianSamples(dim=8).weights
    np.testing.assert_allclose(weights.T @ weights, np.diag([16.0, 4.0, 1.0]), atol=1e-12)


def test_a_turn_changes_the_factors_and_not_the_distribution():
    plain, turned = LinearGaussianSamples(n=50), LinearGaussianSamples(n=50, turn=30.0)
    a, b = plain.weights, turned.weights
    np.testing.assert_allclose(a @ a.T, b @ b.T, atol=1e-12)
    # Columns c a1 + s a2 and -s a1 + c a2 have the inner product cs (4 - 16).
    assert (b.T @ b)[0, 1] == pytest.approx(-12 * np.sin(np.pi / 6) * np.cos(np.pi / 6))


def test_the_closed_forms_hold_of_the_samples():
    data = LinearGaussianSamples(n=20_000)
    x = data.samples.points.astype(np.float64)
    model = LinearGaussian(data.weights, np.zeros(6), data.noise**2)
    # A Gaussian's mean log-density is minus its entropy.
    covariance = data.weights @ data.weights.T + data.noise**2 * np.eye(6)
    entropy = 0.5 * np.linalg.slogdet(2 * np.pi * np.e * covariance)[1]
    assert log_likelihood(model, x).mean() == pytest.approx(-entropy, abs=0.05)
    known = posterior(model, x)
    errors = data.samples.values - known.means
    np.testing.assert_allclose(np.cov(errors.T), known.covariance, atol=0.003)
    fit = best_fit(x, 3, data.noise**2)
    assert log_likelihood(fit, x).mean() > log_likelihood(model, x).mean()
    error = 5 * 16.1 * np.sqrt(2 / len(x))
    inner = model.weights @ model.weights.T
    np.testing.assert_allclose(fit.weights @ fit.weights.T, inner, atol=error)


def test_wrong_options_are_refused():
    with pytest.raises(ValueError, match="n must be at least 1; got 0"):
        LinearGaussianSamples(n=0)
    with pytest.raises(ValueError, match="dim must be at least 3; got 2"):
        LinearGaussianSamples(dim=2)
    with pytest.raises(ValueError, match="noise must be a number above 0"):
        LinearGaussianSamples(noise=0.0)
