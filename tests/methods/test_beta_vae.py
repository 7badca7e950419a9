"""The beta-VAE's sampled KL: the log-densities of torch.distributions, and an older twin's loss."""

import pytest
import torch

from gordium.methods import METHODS, BetaTCVAE, BetaVAE, Context
from gordium.spec import from_named, to_named


def test_the_sampled_kl_is_the_difference_of_log_densities_at_the_decoded_sample(out):
    posterior = torch.distributions.Normal(out.mean, (0.5 * out.log_variance).exp())
    prior = torch.distributions.Normal(torch.zeros_like(out.z), torch.ones_like(out.z))
    expected = (posterior.log_prob(out.z) - prior.log_prob(out.z)).sum(dim=1).mean()
    loss = BetaVAE(beta=3.0, sampled_kl=True)(out, Context(0))
    torch.testing.assert_close(loss.terms["kl"], expected)
    torch.testing.assert_close(loss.total, loss.terms["reconstruction"] + 3 * expected)


def test_at_beta_one_it_is_the_beta_tcvae(out):
    # The three parts of the beta-TCVAE's KL add up to one sample of it, whatever its estimator.
    ours = BetaVAE(beta=1.0, sampled_kl=True)(out, Context(0, n_images=100))
    theirs = BetaTCVAE(beta=1.0)(out, Context(0, n_images=100))
    assert ours.total.item() == pytest.approx(theirs.total.item(), rel=1e-9)


def test_runs_without_it_keep_their_names():
    assert to_named(BetaVAE(beta=2.0), METHODS) == {"name": "beta-vae", "beta": 2.0}
    declared = to_named(BetaVAE(beta=2.0, sampled_kl=True), METHODS)
    assert from_named("method", declared, METHODS) == BetaVAE(beta=2.0, sampled_kl=True)
