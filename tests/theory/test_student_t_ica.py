"""ICA with Student-t sources: the free energy against scipy, the ascent against its claims."""

import numpy as np
import pytest
import torch
from scipy import integrate, optimize, stats

from gordium.theory import factor_analysis as fa
from gordium.theory import student_t_ica as ica

RNG = np.random.default_rng(0)
WEIGHTS = RNG.normal(size=(2, 3))


def sample(n=60, df=3.5, noise=0.5):
    sources = RNG.standard_t(df, size=(n, 3))
    return sources @ WEIGHTS.T + noise * RNG.normal(size=(n, 2))


@pytest.mark.parametrize("beta", [1.0, 5.0])
def test_the_free_energy_of_a_point_is_its_definition_by_quadrature(beta):
    x, mean, std = np.array([1.5, -0.7]), np.array([0.3, -2.0, 4.0]), np.array([0.1, 0.9, 2.0])
    noise = np.array([0.4, 0.9])
    kl = 0.0
    for m, s in zip(mean, std, strict=True):
        q, prior = stats.norm(m, s), stats.t(3.5)
        kl += integrate.quad(
            lambda z, q=q, p=prior: q.pdf(z) * (q.logpdf(z) - p.logpdf(z)),
            m - 12 * s,
            m + 12 * s,
            epsabs=1e-11,
        )[0]
    # A Gaussian of the linear map: the residual's variance adds to the squared mean residual.
    spread = WEIGHTS**2 @ std**2
    fit = stats.norm(WEIGHTS @ mean, np.sqrt(noise)).logpdf(x).sum() - 0.5 * (spread / noise).sum()
    model = ica.Model(3.5, tuple(noise), beta)
    arguments = (torch.from_numpy(a) for a in (x[None], WEIGHTS, mean[None], np.log(std)[None]))
    assert model.free_energy(*arguments).item() == pytest.approx(fit - beta * kl, abs=1e-4)


def test_with_normal_sources_the_posteriors_are_those_of_the_closed_form():
    # As df grows the sources become normal, where the best q is known (factor analysis).
    x, noise = sample(), np.array([0.25, 0.25])
    start = ica.fit(ica.Model(1e7, (0.25, 0.25)), x, WEIGHTS, steps=300).path[0]
    expected = fa.best_free_energy(WEIGHTS, noise, x.T @ x / len(x)).value
    assert start == pytest.approx(expected, abs=1e-4)


def test_every_step_improves_and_the_end_is_a_maximum_of_the_weights():
    model, x = ica.Model(3.5, (0.25, 0.25)), sample()
    found = ica.fit(model, x, WEIGHTS, steps=800)
    assert len(found.path) > 10
    assert np.diff(found.path).min() > 0

    def free_energy(weights):
        arguments = (torch.from_numpy(a) for a in (x, weights, found.mean, np.log(found.std)))
        return model.free_energy(*arguments).mean().item()

    assert free_energy(found.weights) == pytest.approx(found.path[-1], rel=1e-12)
    # At fixed posteriors the best weights are a regression on E[z] and E[z z^T] (EM's M-step).
    second = found.mean.T @ found.mean + np.diag((found.std**2).sum(axis=0))
    regression = x.T @ found.mean @ np.linalg.inv(second)
    assert free_energy(regression) - found.path[-1] == pytest.approx(0, abs=1e-6)


def test_a_pruned_source_has_the_gaussian_nearest_to_the_prior():
    # Started at a column of zero, whose gradient is zero too, the source tells nothing of x.
    weights = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    found = ica.fit(ica.Model(3.5, (0.25, 0.25)), sample(), weights, steps=300)
    # The ascent stops at gradients of 1e-7 in any coordinate: the column is known to a few 1e-6.
    np.testing.assert_allclose(found.weights[:, 2], 0, atol=1e-5)
    z = np.linspace(-60, 60, 200_001)
    prior = stats.t(3.5).logpdf(z)

    def kl(std):
        q = stats.norm(0, std)
        return integrate.trapezoid(q.pdf(z) * (q.logpdf(z) - prior), z)

    nearest = optimize.minimize_scalar(kl, bounds=(0.5, 3), method="bounded").x
    np.testing.assert_allclose(found.std[:, 2], nearest, atol=0.02)
    np.testing.assert_allclose(found.mean[:, 2], 0, atol=0.05)


def test_angles_and_lengths_by_hand():
    weights = np.array([[2.0, 0.0, -1.0], [0.0, 3.0, 1.0]])
    np.testing.assert_allclose(ica.lengths(weights), [2, 3, np.sqrt(2)])
    np.testing.assert_allclose(ica.angles(weights), [90, 45, 45])
    # Inner products 0, -2 and 3; |W|^2 = 15.
    assert ica.overlap(weights) == pytest.approx((4 + 9) / 225)


def test_the_trail_begins_at_the_given_weights_and_ends_at_the_found_ones():
    found = ica.fit(ica.Model(3.5, (0.25, 0.25), 5.0), sample(20), WEIGHTS, steps=20)
    np.testing.assert_array_equal(found.trail[0], WEIGHTS)
    np.testing.assert_array_equal(found.trail[-1], found.weights)
    assert len(found.trail) == len(found.path) == 21
