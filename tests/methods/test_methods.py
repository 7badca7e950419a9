"""Objectives against closed forms, and the contract of every method."""

import pytest
import torch

from gordium.methods import (
    AE,
    METHODS,
    VAE,
    BetaVAE,
    Context,
    FactorVAE,
    Networks,
    forward,
    sample,
)
from gordium.methods.terms import kl_to_standard_normal
from gordium.networks import Linear, Posterior, autoencoder
from gordium.testing import check_method


@pytest.fixture
def model():
    chance = torch.Generator().manual_seed(0)
    return autoencoder(Linear(), (1, 2, 3), 2, likelihood="gaussian", generator=chance)


@pytest.fixture
def x():
    return torch.rand(5, 1, 2, 3, generator=torch.Generator().manual_seed(1))


def noise():
    return torch.Generator().manual_seed(2)


def test_kl_agrees_with_torch_distributions():
    chance = torch.Generator().manual_seed(0)
    mean, log_variance = torch.randn(2, 100, 3, generator=chance, dtype=torch.float64)
    q = torch.distributions.Normal(mean, (0.5 * log_variance).exp())
    p = torch.distributions.Normal(torch.zeros_like(mean), torch.ones_like(mean))
    expected = torch.distributions.kl_divergence(q, p)
    torch.testing.assert_close(kl_to_standard_normal(mean, log_variance), expected)


def test_beta_vae_is_equation_4_term_by_term(model, x):
    out = forward(Networks(model), x, noise())
    loss = BetaVAE(beta=8.0)(out, Context(0))
    l_rec = sum((out.output[i] - x[i]).square().sum() for i in range(5)) / 5
    variance = out.log_variance.exp()
    l_kl = 0.5 * (out.mean**2 + variance - variance.log() - 1).sum(dim=1).mean()
    torch.testing.assert_close(loss.terms["reconstruction"], l_rec)
    torch.testing.assert_close(loss.terms["kl"], l_kl)
    torch.testing.assert_close(loss.total, l_rec + 8 * l_kl)


def test_a_vae_is_a_beta_vae_with_beta_one(model, x):
    out = forward(Networks(model), x, noise())
    assert torch.equal(VAE()(out, Context(0)).total, BetaVAE(beta=1.0)(out, Context(0)).total)


def test_an_autoencoder_decodes_means(model, x):
    out = forward(Networks(model), x, None)
    assert torch.equal(out.z, out.mean)
    assert set(AE()(out, Context(0)).terms) == {"reconstruction"}
    assert not AE.stochastic


def test_samples_have_the_mean_and_variance_of_the_posterior():
    mean, log_variance = torch.tensor([[1.0, -2.0]]), torch.tensor([[0.0, 2.0]])
    z = sample(Posterior(mean.repeat(50_000, 1), log_variance.repeat(50_000, 1)), noise())
    # Standard errors: 0.0045 and 0.012 of the means, 0.6 % of the variances.
    torch.testing.assert_close(z.mean(dim=0), mean[0], atol=0.05, rtol=0)
    torch.testing.assert_close(z.var(dim=0), log_variance[0].exp(), atol=0, rtol=0.03)


@pytest.mark.parametrize("name", METHODS)
def test_every_method_keeps_the_contract(name):
    # In a game of two networks neither loss need fall; the encoder's does.
    method = FactorVAE(depth=2, width=20) if name == "factor-vae" else METHODS[name]()
    check_method(method, falls="encoder" if name == "weak-gan" else "loss")
