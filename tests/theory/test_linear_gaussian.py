"""Closed forms of the linear Gaussian model against SciPy, quadrature, search, scikit-learn."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.stats import multivariate_normal, norm
from sklearn.decomposition import PCA

from gordium.theory import (
    Gaussians,
    LinearGaussian,
    best_fit,
    best_mean_field,
    elbo,
    log_likelihood,
    mean_field_gap,
    posterior,
)


@pytest.fixture(scope="module")
def model():
    rng = np.random.default_rng(0)
    return LinearGaussian(rng.normal(size=(4, 2)), rng.normal(size=4), 0.3)


@pytest.fixture(scope="module")
def x(model):
    rng = np.random.default_rng(1)
    z = rng.normal(size=(500, 2))
    noise = np.sqrt(model.noise_variance) * rng.normal(size=(500, 4))
    return z @ model.weights.T + model.mean + noise


def test_likelihood_is_that_of_the_multivariate_normal(model, x):
    covariance = model.weights @ model.weights.T + 0.3 * np.eye(4)
    known = multivariate_normal(model.mean, covariance).logpdf(x)
    np.testing.assert_allclose(log_likelihood(model, x), known)


def test_one_dimension_by_quadrature():
    model = LinearGaussian(np.array([[1.5]]), np.array([0.2]), 0.5)
    x = np.array([[1.1]])

    def joint(z):
        return norm.pdf(z) * norm.pdf(1.1, 1.5 * z + 0.2, np.sqrt(0.5))

    evidence = quad(joint, -10, 10)[0]
    mean = quad(lambda z: z * joint(z), -10, 10)[0] / evidence
    variance = quad(lambda z: (z - mean) ** 2 * joint(z), -10, 10)[0] / evidence
    assert np.exp(log_likelihood(model, x)[0]) == pytest.approx(evidence)
    found = posterior(model, x)
    assert found.means[0, 0] == pytest.approx(mean)
    assert found.covariance[0, 0] == pytest.approx(variance)
    q = Gaussians(np.array([[0.4]]), np.array([[0.2]]))
    bound = quad(
        lambda z: (
            norm.pdf(z, 0.4, np.sqrt(0.2)) * (np.log(joint(z)) - norm.logpdf(z, 0.4, np.sqrt(0.2)))
        ),
        -5,
        6,
    )[0]
    assert elbo(model, x, q)[0] == pytest.approx(bound)


def test_elbo_of_the_posterior_is_the_likelihood(model, x):
    np.testing.assert_allclose(elbo(model, x, posterior(model, x)), log_likelihood(model, x))


def test_a_search_over_diagonal_posteriors_ends_at_the_best_mean_field(model, x):
    def loss(p):
        return -elbo(model, x[:1], Gaussians(p[None, :2], np.diag(np.exp(p[2:]))))[0]

    found = minimize(loss, np.zeros(4), options={"gtol": 1e-8})
    best = best_mean_field(model, x[:1])
    np.testing.assert_allclose(found.x[:2], best.means[0], atol=1e-5)
    np.testing.assert_allclose(np.exp(found.x[2:]), np.diag(best.covariance), rtol=1e-4)


def test_gap_is_what_mean_field_costs_and_a_rotation_moves_it(model, x):
    short = log_likelihood(model, x) - elbo(model, x, best_mean_field(model, x))
    np.testing.assert_allclose(short, mean_field_gap(model))
    right = np.linalg.svd(model.weights)[2]
    turned = model._replace(weights=model.weights @ right.T)
    np.testing.assert_allclose(log_likelihood(turned, x), log_likelihood(model, x))
    assert mean_field_gap(turned) == pytest.approx(0.0, abs=1e-12)
    assert mean_field_gap(model) > 0.01


def test_best_fit_is_probabilistic_pca(x):
    # scikit-learn's noise is the mean of the left-out eigenvalues of the unbiased covariance.
    n = len(x)
    pca = PCA(n_components=2).fit(x)
    noise = pca.noise_variance_ * (n - 1) / n
    fit = best_fit(x, 2, noise)
    covariance = fit.weights @ fit.weights.T + noise * np.eye(4)
    np.testing.assert_allclose(covariance, pca.get_covariance() * (n - 1) / n, atol=1e-10)
    axes = fit.weights / np.linalg.norm(fit.weights, axis=0)
    np.testing.assert_allclose(np.abs(pca.components_ @ axes), np.eye(2), atol=1e-10)


def test_no_other_weights_have_a_larger_elbo(x):
    fit = best_fit(x, 2, 0.3)
    top = elbo(fit, x, best_mean_field(fit, x)).mean()
    assert top == pytest.approx(log_likelihood(fit, x).mean())

    def loss(p):
        other = fit._replace(weights=p.reshape(4, 2))
        return -elbo(other, x, best_mean_field(other, x)).mean()

    for seed in range(3):
        start = np.random.default_rng(seed).normal(size=8)
        found = minimize(loss, start, options={"gtol": 1e-7})
        assert -found.fun == pytest.approx(top, abs=1e-8)


def test_a_direction_below_the_noise_is_left_out(x):
    smallest = np.linalg.eigvalsh(np.cov(x.T, bias=True))
    fit = best_fit(x, 4, (smallest[1] + smallest[2]) / 2)
    assert (np.linalg.norm(fit.weights, axis=0) > 0).tolist() == [True, True, False, False]


def test_wrong_sizes_are_refused(x):
    with pytest.raises(ValueError, match="n_latents from 1 to m"):
        best_fit(x, 5, 0.1)
    with pytest.raises(ValueError, match="above 0"):
        best_fit(x, 2, 0.0)
