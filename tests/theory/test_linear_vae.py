"""The linear VAE's optimum against PCA, a search, and the loss that is trained."""

import numpy as np
import pytest
import torch
from scipy.optimize import minimize
from sklearn.decomposition import PCA

from gordium.methods.terms import kl_to_standard_normal
from gordium.theory import (
    LinearGaussian,
    LinearVAE,
    best_mean_field,
    best_scale,
    elbo,
    linear_vae_loss,
    linear_vae_optimum,
)

BETA = 0.4


@pytest.fixture(scope="module")
def x():
    rng = np.random.default_rng(3)
    turn = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    return rng.normal(size=(300, 4)) * (3.0, 2.0, 1.0, 0.3) @ turn + 5.0


def test_decoder_columns_are_principal_axes(x):
    vae = linear_vae_optimum(x, 3, BETA)
    pca = PCA(n_components=3).fit(x)
    np.testing.assert_allclose(vae.mean, pca.mean_)
    variances = pca.explained_variance_ * (len(x) - 1) / len(x)
    lengths = np.linalg.norm(vae.decoder, axis=0)
    np.testing.assert_allclose(lengths**2, variances - BETA / 2)
    overlap = np.abs(pca.components_ @ (vae.decoder / lengths))
    np.testing.assert_allclose(overlap, np.eye(3), atol=1e-10)
    # So V of the decoder's SVD is the identity, and codes are PCA's, scaled.
    codes, known = (x - vae.mean) @ vae.encoder.T, pca.transform(x)
    cosines = (codes * known).sum(axis=0) / np.linalg.norm(codes, axis=0)
    np.testing.assert_allclose(np.abs(cosines), np.linalg.norm(known, axis=0))
    np.testing.assert_allclose(vae.variances, BETA / 2 / variances)


def test_codes_and_noise_have_the_scale_of_lemma_1(x):
    vae = linear_vae_optimum(x, 3, BETA)
    codes = (x - vae.mean) @ vae.encoder.T
    for code, variance in zip(codes.T, vae.variances, strict=True):
        deviations = np.full(len(code), np.sqrt(variance))
        assert best_scale(code, deviations) == pytest.approx(1.0)


def test_a_search_over_all_weights_finds_nothing_lower(x):
    small = x[:, :3]

    def unpack(p):
        encoder, decoder = p[:6].reshape(2, 3), p[6:12].reshape(3, 2)
        return LinearVAE(encoder, decoder, small.mean(axis=0), np.exp(p[12:]))

    best = linear_vae_optimum(small, 2, BETA)
    lowest = linear_vae_loss(best, small, BETA)
    for seed in range(3):
        start = np.random.default_rng(seed).normal(size=14)
        found = minimize(lambda p: linear_vae_loss(unpack(p), small, BETA), start, tol=1e-10)
        assert found.fun == pytest.approx(lowest, rel=1e-6)
        units = unpack(found.x).decoder / np.linalg.norm(unpack(found.x).decoder, axis=0)
        overlap = np.abs((best.decoder / np.linalg.norm(best.decoder, axis=0)).T @ units)
        np.testing.assert_allclose(np.sort(overlap, axis=0), [[0, 0], [1, 1]], atol=1e-2)


def test_a_rotation_of_the_latent_space_costs(x):
    vae = linear_vae_optimum(x, 2, BETA)
    turn = np.array([[0.8, -0.6], [0.6, 0.8]])
    inner = (vae.decoder @ turn).T @ (vae.decoder @ turn)
    variances = 1 / (1 + np.diag(inner) / (BETA / 2))
    turned = LinearVAE(turn.T @ vae.encoder, vae.decoder @ turn, vae.mean, variances)
    np.testing.assert_allclose(turned.decoder @ turned.encoder, vae.decoder @ vae.encoder)
    assert linear_vae_loss(turned, x, BETA) > linear_vae_loss(vae, x, BETA) + 0.01


def test_loss_is_minus_beta_elbo_up_to_its_constant(x):
    vae = linear_vae_optimum(x, 2, BETA)
    model = LinearGaussian(vae.decoder, vae.mean, BETA / 2)
    bound = elbo(model, x, best_mean_field(model, x)).mean()
    constant = BETA * x.shape[1] / 2 * np.log(np.pi * BETA)
    assert linear_vae_loss(vae, x, BETA) == pytest.approx(-BETA * bound - constant)


def test_loss_is_the_mean_of_the_sampled_one(x):
    rng = np.random.default_rng(0)
    vae = LinearVAE(rng.normal(size=(2, 4)), rng.normal(size=(4, 2)), x.mean(axis=0), np.ones(2))
    vae = vae._replace(variances=np.array([0.3, 0.1]))
    means = torch.from_numpy((x - vae.mean) @ vae.encoder.T)
    logs = torch.from_numpy(np.log(vae.variances)).expand(len(x), 2)
    kl = kl_to_standard_normal(means, logs).sum(dim=1).mean()
    noise = rng.normal(size=(2000, len(x), 2)) * np.sqrt(vae.variances)
    output = (means.numpy() + noise) @ vae.decoder.T + vae.mean
    draws = ((output - x) ** 2).sum(axis=2).mean(axis=1)
    sampled = draws.mean() + BETA * kl.item()
    error = draws.std() / np.sqrt(len(draws))
    assert linear_vae_loss(vae, x, BETA) == pytest.approx(sampled, abs=4 * error)


def test_units_without_enough_variance_are_pruned(x):
    # The smallest variance is near 0.09 < beta / 2 = 0.2.
    vae = linear_vae_optimum(x, 4, BETA)
    assert not vae.decoder[:, 3].any()
    assert not vae.encoder[3].any()
    assert vae.variances[3] == 1.0
