"""Factor analysis: the closed forms against scipy, direct optimisation and Monte Carlo."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import multivariate_normal

from gordium.theory import factor_analysis as fa

RNG = np.random.default_rng(0)
WEIGHTS = RNG.normal(size=(4, 3))
NOISE = RNG.uniform(0.3, 1.5, size=4)
DATA = RNG.normal(size=(50, 4)) * (2.0, 1.0, 0.5, 1.5) + 0.3
MOMENT = DATA.T @ DATA / 50
BETAS = (0.5, 1.0, 4.0)


def monte_carlo_free_energy(q, beta, n=20_000):
    """The definition in B.1 by samples, with their standard error."""
    rng = np.random.default_rng(1)
    x = DATA[rng.integers(50, size=n)]
    mean = x @ q.recognition.T
    z = mean + np.sqrt(q.variances) * rng.normal(size=mean.shape)
    fit = multivariate_normal(np.zeros(4), np.diag(NOISE)).logpdf(x - z @ WEIGHTS.T)
    posterior = multivariate_normal(np.zeros(3), np.diag(q.variances)).logpdf(z - mean)
    prior = multivariate_normal(np.zeros(3), np.eye(3)).logpdf(z)
    values = fit - beta * (posterior - prior)
    return values.mean(), values.std() / np.sqrt(n)


def test_the_log_likelihood_is_that_of_scipy():
    normal = multivariate_normal(np.zeros(4), WEIGHTS @ WEIGHTS.T + np.diag(NOISE))
    expected = normal.logpdf(DATA).mean()
    assert fa.log_likelihood(WEIGHTS, NOISE, MOMENT) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("beta", BETAS)
def test_the_free_energy_is_its_definition_sampled(beta):
    q = fa.MeanField(RNG.normal(size=(3, 4)) / 5, RNG.uniform(0.2, 1, size=3))
    sampled, error = monte_carlo_free_energy(q, beta)
    found = fa.free_energy(WEIGHTS, NOISE, MOMENT, q=q, beta=beta).value
    assert found == pytest.approx(sampled, abs=4 * error)
    assert error < 0.01 * abs(sampled)


@pytest.mark.parametrize("beta", BETAS)
def test_no_factorised_gaussian_is_better_than_the_closed_form(beta):
    def loss(free):
        q = fa.MeanField(free[:12].reshape(3, 4), np.exp(free[12:]))
        return -fa.free_energy(WEIGHTS, NOISE, MOMENT, q=q, beta=beta).value

    found = minimize(loss, np.zeros(15), method="BFGS", options={"gtol": 1e-7})
    best = fa.mean_field(WEIGHTS, NOISE, beta)
    assert fa.best_free_energy(WEIGHTS, NOISE, MOMENT, beta).value == pytest.approx(-found.fun)
    np.testing.assert_allclose(found.x[:12].reshape(3, 4), best.recognition, atol=1e-4)
    np.testing.assert_allclose(np.exp(found.x[12:]), best.variances, atol=1e-4)


def test_the_posterior_is_that_of_the_joint_normal():
    # Condition the joint covariance of (z, x) on x.
    covariance = WEIGHTS @ WEIGHTS.T + np.diag(NOISE)
    gain = WEIGHTS.T @ np.linalg.inv(covariance)
    np.testing.assert_allclose(fa.mean_field(WEIGHTS, NOISE).recognition, gain, atol=1e-12)
    posterior = np.eye(3) - gain @ WEIGHTS
    precision = fa.posterior_precision(WEIGHTS, NOISE)
    np.testing.assert_allclose(np.linalg.inv(precision), posterior, atol=1e-12)


def test_equation_4_log_likelihood_less_gap_is_the_free_energy():
    likelihood = fa.log_likelihood(WEIGHTS, NOISE, MOMENT)
    gap = fa.posterior_gap(WEIGHTS, NOISE)
    found = fa.best_free_energy(WEIGHTS, NOISE, MOMENT).value
    assert gap > 0.1
    assert found == pytest.approx(likelihood - gap, rel=1e-12)


def test_rotation_by_hand():
    # W = diag(2, 1), D = I: at 45 degrees the precision is [[3.5, 1.5], [1.5, 3.5]], whose
    # determinant is 10 as it was: the gap is log(3.5^2 / 10) / 2.
    aligned, noise = np.diag([2.0, 1.0]), np.ones(2)
    assert fa.posterior_gap(aligned, noise) == pytest.approx(0, abs=1e-15)
    rotated = fa.turn(aligned, np.pi / 4)
    assert fa.posterior_gap(rotated, noise) == pytest.approx(0.5 * np.log(1.225), rel=1e-12)
    np.testing.assert_allclose(rotated @ rotated.T, aligned @ aligned.T, atol=1e-12)
    np.testing.assert_allclose(fa.turn(aligned, np.pi / 2) ** 2, [[0, 4], [1, 0]], atol=1e-12)


@pytest.mark.parametrize("beta", BETAS)
def test_no_weights_are_better_than_the_scaled_principal_axes(beta):
    data = DATA[:, :2]
    moment, noise = data.T @ data / 50, np.full(2, 0.2)

    def loss(free):
        return -fa.best_free_energy(free.reshape(2, 3), noise, moment, beta).value

    found = [minimize(loss, np.random.default_rng(s).normal(size=6)) for s in range(3)]
    fitted = fa.fit_weights(moment, 0.2, 3, beta)
    best = fa.best_free_energy(fitted, noise, moment, beta).value
    assert best == pytest.approx(-min(f.fun for f in found), abs=1e-6)
    assert best >= -min(f.fun for f in found) - 1e-9
    np.testing.assert_array_equal(fitted[:, 2], 0)


def test_beta_shortens_the_fitted_columns_and_prunes_them():
    moment = np.diag([4.0, 1.0])
    lengths = [np.linalg.norm(fa.fit_weights(moment, 0.5, 2, b), axis=0) for b in (1, 1.5, 3)]
    # Squared: variance of the axis less beta / 2.
    np.testing.assert_allclose(np.square(lengths), [[3.5, 0.5], [3.25, 0.25], [2.5, 0]])
