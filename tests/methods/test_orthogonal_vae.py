"""The orthogonal VAE's penalty against full Jacobians, in double precision."""

from itertools import permutations

import pytest
import torch
from scipy import stats

import gordium as gd
from gordium.methods import Context, Networks, OrthogonalVAE, forward
from gordium.methods.orthogonal_vae import columns, overlap, random_pairs
from gordium.networks import Convolutional, Mlp, autoencoder
from gordium.training import Adam, Recording

SMALL = {"architecture": Convolutional(0.125), "optimiser": Adam(3e-3)}


def noise(seed=0):
    return torch.Generator().manual_seed(seed)


def mlp(d):
    architecture = Mlp((8,), (7, 7))
    return autoencoder(
        architecture, (1, 3, 4), d, likelihood="bernoulli", generator=noise()
    ).double()


def points(n, d):
    z = torch.randn(n, d, generator=noise(1), dtype=torch.float64)
    return (3 * z).requires_grad_()


def full_jacobian(decode, z):
    """(n, n_pixels, d), one image at a time."""
    rows = [torch.autograd.functional.jacobian(decode, row[None], create_graph=True) for row in z]
    return torch.stack([j.flatten(0, 3)[:, 0] for j in rows])


def full_penalty(decode, z):
    """The mean over z of sum_{i != j} G_ij^2 / ((1 + G_ii)(1 + G_jj)), from its definition."""
    total = 0.0
    for jacobian in full_jacobian(decode, z):
        gram = jacobian.T @ jacobian
        for i, j in permutations(range(z.shape[1]), 2):
            total = total + gram[i, j] ** 2 / ((1 + gram[i, i]) * (1 + gram[j, j]))
    return total / len(z)


def test_columns_are_those_of_the_full_jacobian():
    model, z = mlp(4), points(5, 4)
    units = torch.tensor([[0, 3], [1, 0], [2, 1], [3, 2], [0, 1]])
    expected = full_jacobian(model.decode, z)
    for k, found in enumerate(columns(model.decode(z), z, units)):
        for i in range(5):
            torch.testing.assert_close(found[i], expected[i][:, units[i, k]])


@pytest.mark.parametrize("d", [2, 3, 5])
def test_the_estimate_and_its_gradient_are_unbiased(d):
    # Uniform pairs: the mean over all ordered pairs is the expectation, to rounding.
    model, z = mlp(d), points(4, d)
    weights = list(model.decoder.parameters())
    pairs = [torch.tensor(pair).expand(4, 2) for pair in permutations(range(d), 2)]
    mean = torch.stack([overlap(model.decode(z), z, pair) for pair in pairs]).mean()
    expected = full_penalty(model.decode, z)
    torch.testing.assert_close(mean, expected)
    found = torch.autograd.grad(mean, weights[:-1])
    for gradient, other in zip(found, torch.autograd.grad(expected, weights[:-1]), strict=True):
        torch.testing.assert_close(gradient, other)


def test_every_ordered_pair_is_as_likely():
    drawn = random_pairs(12_000, 4, noise())
    pairs, counts = torch.unique(drawn, dim=0, return_counts=True)
    assert [tuple(pair) for pair in pairs.tolist()] == list(permutations(range(4), 2))
    assert stats.chisquare(counts.numpy()).pvalue > 0.01


def test_the_penalty_of_known_linear_decoders():
    # Columns 3 e_1 and 2 e_2 are orthogonal. For (3, 0) and (2, 1): G = [[9, 6], [6, 5]], so
    # twice 36 / (10 * 6) over both orders of the pair.
    z = points(3, 2)
    pairs = random_pairs(3, 2, noise())
    for matrix, expected in (([[3.0, 0.0], [0.0, 2.0]], 0.0), ([[3.0, 2.0], [0.0, 1.0]], 1.2)):
        images = (z @ torch.tensor(matrix, dtype=torch.float64).T)[:, None, None]
        assert overlap(images, z, pairs).item() == pytest.approx(expected, abs=1e-12)


def test_a_unit_without_effect_counts_for_nothing_and_one_unit_has_no_pair():
    z = points(3, 2)
    images = (z[:, :1] * torch.ones(1, 4, dtype=torch.float64))[:, None]
    images = images + 1e-9 * z[:, 1:, None].expand(3, 1, 4)
    assert overlap(images, z, random_pairs(3, 2, noise())).item() < 1e-12
    alone = points(3, 1)
    assert overlap(alone[:, :, None, None], alone, random_pairs(3, 1, noise())).item() == 0


def test_terms_are_beta_vaes_and_the_overlap_of_the_first_images():
    model = mlp(3)
    x = torch.rand(6, 1, 3, 4, generator=noise(3), dtype=torch.float64)
    out = forward(Networks(model), x, noise(4))
    loss = OrthogonalVAE(beta=2.0, weight=30.0, n_images=4)(out, Context(0, noise=noise(5)))
    plain = gd.methods.BetaVAE(beta=2.0)(out, Context(0))
    z = out.z[:4].detach().requires_grad_()
    expected = overlap(model.decode(z), z, random_pairs(4, 3, noise(5)))
    torch.testing.assert_close(loss.terms["overlap"], expected)
    torch.testing.assert_close(loss.total, plain.total + 30 * expected)
    encoder = next(model.encoder.parameters())
    assert torch.autograd.grad(loss.terms["overlap"], encoder, allow_unused=True) == (None,)


def test_it_trains_to_a_smaller_overlap_and_draws_from_its_own_stream(room):
    before = torch.get_rng_state()
    ends = {}
    for weight in (0.0, 300.0):
        method = OrthogonalVAE(weight=weight)
        run = gd.train(method, room, steps=60, latent_dim=3, recording=Recording(20), **SMALL)
        ends[weight] = run.history[-1]["overlap"]
        assert run.history[-1]["reconstruction"] < run.history[0]["reconstruction"]
    assert ends[300.0] < 0.5 * ends[0.0]
    assert torch.equal(before, torch.get_rng_state())


def test_chance_must_be_given():
    model = mlp(2)
    out = forward(Networks(model), torch.rand(2, 1, 3, 4, generator=noise()).double(), noise())
    with pytest.raises(ValueError, match="give its context a generator"):
        OrthogonalVAE()(out, Context(0))


class Cut(Exception):
    pass


def test_a_cut_run_goes_on_to_the_same_bits(tmp_path, room):
    often = Recording(record_every=4, checkpoint_seconds=0, report_seconds=0)
    settings = {**SMALL, "latent_dim": 3, "steps": 9, "recording": often}

    def cut(done, total, note):
        if done >= 5:
            raise Cut

    whole = gd.train(OrthogonalVAE(), room, folder=tmp_path / "whole", **settings)
    with pytest.raises(Cut):
        gd.train(OrthogonalVAE(), room, folder=tmp_path / "cut", report=cut, **settings)
    resumed = gd.train(OrthogonalVAE(), room, folder=tmp_path / "cut", **settings)
    assert resumed.history == whole.history
    for key, tensor in resumed.model.state_dict().items():
        assert torch.equal(tensor, whole.model.state_dict()[key])


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"beta": -1}, "beta must be a number of at least 0; got -1"),
        ({"weight": float("inf")}, "weight must be a number of at least 0; got inf"),
        ({"n_images": 0}, "n_images must be a whole number of at least 1; got 0"),
    ],
)
def test_bad_hyperparameters_are_named(fields, text):
    with pytest.raises(ValueError, match=text):
        OrthogonalVAE(**fields)
