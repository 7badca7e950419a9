"""Propositions 2 and 3 of Rolinek et al. 2019, and what diagonal posteriors break."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from gordium.theory import rotation
from gordium.theory.linear_gaussian import hadamard_gap
from gordium.theory.rotation_invariance import (
    Gaussian,
    elbo,
    kl_to_prior,
    linear_posterior,
    log_likelihood,
    nearest_diagonal,
    rotate_decoder,
    rotate_posterior,
)

RNG = np.random.default_rng(0)
W, X, NOISE = RNG.standard_normal((3, 2)), RNG.standard_normal(3), 0.3
ANGLES = (0.3, 1.0, 2.5)
EVIDENCE = multivariate_normal(np.zeros(3), W @ W.T + NOISE * np.eye(3)).logpdf(X)


def linear(z):
    return z @ W.T


def bent(z):
    return np.tanh(z @ W.T) + 0.2 * z[:, :1] ** 2


def test_linear_likelihood_is_that_of_its_gaussian():
    posterior = linear_posterior(W, X, NOISE)
    assert log_likelihood(linear, X, NOISE, posterior) == pytest.approx(EVIDENCE, abs=1e-10)


def test_elbo_of_the_true_posterior_is_the_likelihood():
    assert elbo(linear, X, NOISE, linear_posterior(W, X, NOISE)) == pytest.approx(EVIDENCE)


def test_kl_is_that_of_one_dimension_summed():
    mean, variances = np.array([0.5, -1.0]), np.array([0.2, 1.5])
    expected = 0.5 * np.sum(mean**2 + variances - np.log(variances) - 1)  # (4)
    assert kl_to_prior(Gaussian(mean, np.diag(variances))) == pytest.approx(expected)


@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize("decoder", [linear, bent])
def test_rotations_leave_likelihood_and_full_elbo(decoder, angle):
    u = rotation(angle)
    posterior = linear_posterior(W, X, NOISE)
    turned, decoded = rotate_posterior(posterior, u), rotate_decoder(decoder, u)
    # The sums are no integrals: another rotation puts their points elsewhere.
    assert log_likelihood(decoded, X, NOISE, turned) == pytest.approx(
        log_likelihood(decoder, X, NOISE, posterior), abs=1e-6
    )
    assert elbo(decoded, X, NOISE, turned) == pytest.approx(
        elbo(decoder, X, NOISE, posterior), abs=1e-6
    )


def test_diagonal_posteriors_pay_by_the_angle():
    posterior = linear_posterior(W, X, NOISE)
    for angle in ANGLES:
        u = rotation(angle)
        turned = rotate_posterior(posterior, u)
        paid = EVIDENCE - elbo(rotate_decoder(linear, u), X, NOISE, nearest_diagonal(turned))
        assert paid == pytest.approx(hadamard_gap(np.linalg.inv(turned.covariance)), abs=1e-9)
        assert paid > 1e-3


def test_nothing_is_paid_where_columns_are_orthogonal():
    v = np.linalg.svd(W)[2]
    turned = rotate_posterior(linear_posterior(W, X, NOISE), v)
    assert hadamard_gap(np.linalg.inv(turned.covariance)) == pytest.approx(0, abs=1e-12)


def test_no_other_diagonal_is_nearer():
    posterior = linear_posterior(W, X, NOISE)
    best = elbo(linear, X, NOISE, nearest_diagonal(posterior))
    variances = np.diag(nearest_diagonal(posterior).covariance)
    for factors in ([1.1, 1.0], [0.9, 1.0], [1.0, 1.1], [1.0, 0.9]):
        other = Gaussian(posterior.mean, np.diag(variances * factors))
        assert elbo(linear, X, NOISE, other) < best
