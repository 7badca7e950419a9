"""The beta-VAE with full covariances, and Propositions 2 and 3 of Rolinek et al. 2019 as code."""

import numpy as np
import pytest
import torch

from gordium.methods import BetaVAE, BetaVAEFull, Context, Forward, Networks, forward, sample
from gordium.methods.beta_vae_full import kl_of_full_posterior
from gordium.networks import Autoencoder, Linear, Posterior, autoencoder

DOUBLE = torch.float64


def seeded(seed):
    return torch.Generator().manual_seed(seed)


def full_model(latent_dim=3):
    return autoencoder(
        Linear(),
        (1, 2, 3),
        latent_dim,
        likelihood="gaussian",
        generator=seeded(0),
        full_covariance=True,
    ).double()


def test_kl_is_s77_and_agrees_with_torch_distributions(images):
    out = forward(Networks(full_model()), images, seeded(2))
    covariance = out.posterior.cholesky @ out.posterior.cholesky.mT
    q = torch.distributions.MultivariateNormal(out.mean, covariance)
    p = torch.distributions.MultivariateNormal(
        torch.zeros(3, dtype=DOUBLE), torch.eye(3, dtype=DOUBLE)
    )
    expected = torch.distributions.kl_divergence(q, p)
    torch.testing.assert_close(kl_of_full_posterior(out.posterior), expected)
    loss = BetaVAEFull(beta=3.0)(out, Context(0))
    rec = ((out.output - out.x) ** 2).sum() / len(images)
    torch.testing.assert_close(loss.total, rec + 3 * expected.mean())


def test_samples_have_the_covariance_of_the_posterior():
    factor = torch.tensor([[1.0, 0.0], [-0.5, 2.0]])
    mean = torch.tensor([1.0, -1.0]).repeat(100_000, 1)
    z = sample(Posterior(mean, torch.zeros(100_000, 2), factor.repeat(100_000, 1, 1)), seeded(0))
    # L L^T; standard errors of the entries are at most 0.02 (variance 4.25 of 100,000 draws).
    covariance = torch.tensor([[1.0, -0.5], [-0.5, 4.25]])
    torch.testing.assert_close(z.T.cov(), covariance, atol=0.08, rtol=0)
    torch.testing.assert_close(z.mean(dim=0), mean[0], atol=0.03, rtol=0)


@pytest.mark.parametrize("latent_dim", [1, 3])
def test_a_diagonal_factor_gives_the_diagonal_objective(images, latent_dim):
    """A lower triangle of zeros; one unit has no triangle at all."""
    model = full_model(latent_dim)
    with torch.no_grad():
        model.encoder[1].weight[2 * latent_dim :] = 0
    out = forward(Networks(model), images, seeded(2))
    found = BetaVAEFull(beta=3.0)(out, Context(0)).total
    torch.testing.assert_close(found, BetaVAE(beta=3.0)(out, Context(0)).total)


def network(chance):
    """Two latent units to six pixels, not linear."""
    a = torch.randn(5, 2, generator=chance, dtype=DOUBLE)
    b = torch.randn(6, 5, generator=chance, dtype=DOUBLE)
    return lambda z: ((z @ a.T).tanh() @ b.T).reshape(-1, 1, 2, 3)


def nodes(n):
    """Nodes and weights of Gauss and Hermite for expectations under N(0, I) of two units."""
    points, weights = np.polynomial.hermite_e.hermegauss(n)
    weights = weights / weights.sum()
    pairs = np.stack(np.meshgrid(points, points), axis=-1).reshape(-1, 2)
    return torch.tensor(pairs), torch.tensor(np.outer(weights, weights).ravel())


def objective(method, decoder, x, posterior):
    """The expected loss of one image, over the noise, by quadrature."""
    model = Autoencoder(torch.nn.Identity(), torch.nn.Identity(), "gaussian", latent_dim=2)
    mean, log_variance, cholesky = posterior
    root = torch.diag_embed((0.5 * log_variance).exp()) if cholesky is None else cholesky
    total = torch.zeros((), dtype=DOUBLE)
    for epsilon, mass in zip(*nodes(24), strict=True):
        z = mean + root @ epsilon
        total += mass * method(Forward(x, posterior, z, decoder(z), model), Context(0)).total
    return float(total)


@pytest.fixture
def problem():
    chance = seeded(5)
    x = torch.rand(1, 1, 2, 3, generator=chance, dtype=DOUBLE)
    mean = torch.tensor([[0.6, -0.4]], dtype=DOUBLE)
    variances = torch.tensor([[0.09, 0.36]], dtype=DOUBLE)
    return network(chance), x, mean, variances


def rotation(angle=0.7):
    c, s = np.cos(angle), np.sin(angle)
    return torch.tensor([[c, -s], [s, c]], dtype=DOUBLE)


def test_proposition_2_the_log_likelihood_does_not_see_a_rotation(problem):
    """log p(x) = log E_z~N(0, I) exp(-|x - Dec(z)|^2) up to a constant, summed over a grid."""
    decoder, x, _, _ = problem
    u = rotation()
    axis = torch.linspace(-8, 8, 321, dtype=DOUBLE)
    z = torch.cartesian_prod(axis, axis)
    masses = (-0.5 * z.square().sum(dim=1)).exp()
    masses = masses / masses.sum()

    def log_likelihood(dec):
        return float((masses * (-((x - dec(z)) ** 2).flatten(1).sum(dim=1)).exp()).sum().log())

    rotated = log_likelihood(lambda rows: decoder(rows @ u))  # Dec(U^T z), Eq. 9, in rows
    assert rotated == pytest.approx(log_likelihood(decoder), rel=1e-9)
    # The decoder is another function: the same point gives another image.
    assert (decoder(z[:1] @ u) - decoder(z[:1])).abs().max() > 0.01


def test_proposition_3_the_full_objective_does_not_see_a_rotation(problem):
    decoder, x, mean, variances = problem
    u = rotation()
    turned = u @ torch.diag_embed(variances) @ u.T
    before = Posterior(mean, variances.log(), torch.diag_embed(variances.sqrt()))
    diagonal = turned.diagonal(dim1=1, dim2=2).log()
    after = Posterior(mean @ u.T, diagonal, torch.linalg.cholesky(turned))
    method = BetaVAEFull(beta=2.0)
    rotated = objective(method, lambda rows: decoder(rows @ u), x, after)
    assert rotated == pytest.approx(objective(method, decoder, x, before), rel=1e-5)


@pytest.mark.parametrize("keep", ["variances", "marginals"])
def test_the_diagonal_objective_sees_it(problem, keep):
    """Whether the variances stay or become those of the turned posterior."""
    decoder, x, mean, variances = problem
    u = rotation()
    turned = (u @ torch.diag_embed(variances) @ u.T).diagonal(dim1=1, dim2=2)
    kept = {"variances": variances, "marginals": turned}[keep]
    method = BetaVAE(beta=2.0)
    before = objective(method, decoder, x, Posterior(mean, variances.log()))
    rotated = objective(
        method, lambda rows: decoder(rows @ u), x, Posterior(mean @ u.T, kept.log())
    )
    assert abs(rotated - before) > 0.01


def test_bad_hyperparameters_are_named():
    with pytest.raises(ValueError, match="beta must be a number of at least 0; got -1"):
        BetaVAEFull(beta=-1.0)
