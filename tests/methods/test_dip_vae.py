"""DIP-VAE-I and -II: covariances against NumPy and against samples of q(z)."""

import numpy as np
import pytest
import torch

from gordium.methods import DIPVAEI, DIPVAEII, Context
from gordium.methods.dip_vae_i import covariance, from_identity


def penalties(matrix):
    off = matrix - np.diag(np.diag(matrix))
    return (off**2).sum(), ((np.diag(matrix) - 1) ** 2).sum()


def means_covariance(out):
    return np.cov(out.mean.detach().numpy(), rowvar=False, bias=True)


def test_the_first_penalises_the_covariance_of_the_means(out, by_hand):
    loss = DIPVAEI(lambda_od=3.0, lambda_d=5.0)(out, Context(0))
    off, on = penalties(means_covariance(out))
    rec, kl = by_hand[0].item(), by_hand[1].sum(dim=1).mean().item()
    assert loss.terms["off_diagonal"].item() == pytest.approx(off, rel=1e-10)
    assert loss.terms["diagonal"].item() == pytest.approx(on, rel=1e-10)
    assert loss.total.item() == pytest.approx(rec + kl + 3 * off + 5 * on, rel=1e-10)


def test_the_second_adds_the_mean_variance_to_the_diagonal(out, by_hand):
    loss = DIPVAEII(lambda_od=3.0, lambda_d=5.0)(out, Context(0))
    variances = out.log_variance.exp().mean(dim=0).detach().numpy()
    off, on = penalties(means_covariance(out) + np.diag(variances))
    rec, kl = by_hand[0].item(), by_hand[1].sum(dim=1).mean().item()
    assert loss.terms["off_diagonal"].item() == pytest.approx(off, rel=1e-10)
    assert loss.terms["diagonal"].item() == pytest.approx(on, rel=1e-10)
    assert loss.total.item() == pytest.approx(rec + kl + 3 * off + 5 * on, rel=1e-10)


def test_the_seconds_matrix_is_the_covariance_of_samples_of_the_aggregate_posterior(out):
    chance = np.random.default_rng(0)
    mean, deviation = out.mean.detach().numpy(), (0.5 * out.log_variance).exp().detach().numpy()
    z = mean + deviation * chance.standard_normal((100_000, *mean.shape))
    sampled = penalties(np.cov(z.reshape(-1, 3), rowvar=False))
    terms = DIPVAEII()(out, Context(0)).terms
    # Entries are near 1 with standard errors of about 0.002 (800,000 draws).
    assert terms["off_diagonal"].item() == pytest.approx(sampled[0], abs=0.02)
    assert terms["diagonal"].item() == pytest.approx(sampled[1], abs=0.02)


def test_white_means_cost_nothing():
    corners = torch.tensor([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]) + 3.0
    # Shifted corners of a square: covariance I, whatever the mean.
    assert from_identity(covariance(corners)) == (0.0, 0.0)
    # Twice the first axis: variance 4, so (4 - 1)^2; a copy as a second axis: two entries of 1.
    assert from_identity(covariance(corners * torch.tensor([2.0, 1.0]))) == (0.0, 9.0)
    assert from_identity(covariance(corners[:, [0, 0]])) == (2.0, 0.0)


def test_defaults_are_in_the_ratios_of_the_large_study():
    assert DIPVAEI().lambda_d == 10 * DIPVAEI().lambda_od
    assert DIPVAEII().lambda_d == DIPVAEII().lambda_od


@pytest.mark.parametrize("kind", [DIPVAEI, DIPVAEII])
@pytest.mark.parametrize("field", ["lambda_od", "lambda_d"])
def test_bad_hyperparameters_are_named(kind, field):
    with pytest.raises(ValueError, match=f"{field} must be a number of at least 0; got -2"):
        kind(**{field: -2.0})
