"""ISA-TCVAE: total correlation against loops, and its sum with ISA-VAE's objective."""

import math

import pytest
import torch

import gordium as gd
from gordium.methods import ISATCVAE, ISAVAE, Context, Networks, forward
from gordium.networks import Convolutional, Linear, autoencoder
from gordium.training import Adam, Recording

N_IMAGES = 50


def forward_pass(method):
    chance = torch.Generator().manual_seed(0)
    model = autoencoder(Linear(), (1, 2, 3), 3, likelihood="gaussian", generator=chance)
    model.parts = method.parts(3, chance)
    x = torch.rand(6, 1, 2, 3, generator=chance, dtype=torch.float64)
    return forward(Networks(model.double()), x, chance)


def total_correlation(out):
    """Mean of log q(z) - sum_j log q(z_j), each q a sum over the batch with weights 1 / (N n)."""
    n, d = out.z.shape
    scale = (0.5 * out.log_variance).exp()
    found = 0.0
    for i in range(n):
        densities = torch.distributions.Normal(out.mean, scale).log_prob(out.z[i]).exp()
        joint = sum(densities[k].prod() for k in range(n)) / (N_IMAGES * n)
        marginals = [sum(densities[k, j] for k in range(n)) / (N_IMAGES * n) for j in range(d)]
        found += (joint.log() - sum(m.log() for m in marginals)).item() / n
    return found


def test_the_loss_is_isa_vaes_and_the_weighted_total_correlation():
    method = ISATCVAE(beta=5.0, layout=(2, 1), p0=2.1, p=1.7)
    out = forward_pass(method)
    loss = method(out, Context(0, N_IMAGES))
    plain = ISAVAE(beta=1.0, layout=(2, 1), p0=2.1, p=1.7)(out, Context(0, N_IMAGES))
    expected = total_correlation(out)
    assert loss.terms["total_correlation"].item() == pytest.approx(expected, rel=1e-9)
    assert loss.total.item() == pytest.approx(plain.total.item() + 4 * expected, rel=1e-9)
    assert {k: v.item() for k, v in plain.terms.items()}.items() <= {
        k: v.item() for k, v in loss.terms.items()
    }.items()


def test_at_beta_one_the_estimate_of_the_total_correlation_does_not_matter():
    method = ISATCVAE(beta=1.0, estimator="even")
    out = forward_pass(method)
    found = method(out, Context(0, N_IMAGES)).total
    torch.testing.assert_close(found, ISAVAE(beta=1.0)(out, Context(0, N_IMAGES)).total)


def test_at_beta_one_it_is_trained_as_isa_vae_to_the_last_bit(room):
    settings = {"latent_dim": 3, "architecture": Convolutional(0.125), "steps": 20}
    first, second = (gd.train(isa(beta=1.0, layout=(2, 1)), room, **settings).model
                     for isa in (ISAVAE, ISATCVAE))  # fmt: skip
    theirs = second.state_dict()
    assert all(torch.equal(tensor, theirs[key]) for key, tensor in first.state_dict().items())


def test_it_trains_with_learned_exponents(tmp_path, room):
    method = ISATCVAE(learn_p=True, layout=(2, 1))
    settings = {"latent_dim": 3, "architecture": Convolutional(0.125), "optimiser": Adam(1e-2)}
    run = gd.train(method, room, steps=60, recording=Recording(10), folder=tmp_path, **settings)
    assert run.history[-1]["reconstruction"] < run.history[0]["reconstruction"]
    assert {"p1", "p2", "total_correlation"} <= set(run.history[-1])
    loaded = gd.load_run(tmp_path).model.parts
    assert torch.equal(loaded.density().p, run.model.parts.density().p)
    assert all(math.isfinite(value) for value in run.history[-1].values())


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"beta": -1}, "beta must be a number of at least 0"),
        ({"p": 0.0}, "p must be a number above 0"),
        ({"estimator": "strata"}, "Did you mean stratified"),
    ],
)
def test_bad_hyperparameters_are_named(fields, text):
    with pytest.raises(ValueError, match=text):
        ISATCVAE(**fields)
