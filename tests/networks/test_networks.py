"""Architectures: the published sizes, any image size, and weights from the caller's chance."""

import pytest
import torch

from gordium.networks import (
    ARCHITECTURES,
    Autoencoder,
    Convolutional,
    Linear,
    Mlp,
    autoencoder,
    build,
)
from gordium.networks.autoencoder import n_full_outputs
from gordium.networks.likelihoods import bernoulli_nll, squared_error

SMALL = {"convolutional": Convolutional(0.25), "mlp": Mlp((8,), (8,))}
EVERY = [SMALL.get(name) or kind() for name, kind in ARCHITECTURES.items()]


def new_model(architecture, shape=(3, 32, 32), latent_dim=4, seed=0, likelihood="bernoulli"):
    chance = torch.Generator().manual_seed(seed)
    return autoencoder(architecture, shape, latent_dim, likelihood=likelihood, generator=chance)


@pytest.mark.parametrize(("channels", "published"), [(1, 690_517), (3, 692_567)])
def test_the_reference_network_has_the_published_number_of_parameters(channels, published):
    model = new_model(Convolutional(), (channels, 64, 64), latent_dim=10)
    assert sum(p.numel() for p in model.parameters()) == published


@pytest.mark.parametrize("architecture", EVERY)
@pytest.mark.parametrize("size", [16, 17, 30, 64, 100, 128])
def test_images_of_any_size_come_back_in_their_size(architecture, size):
    model = new_model(architecture, (1, size, size))
    posterior = model.encode(torch.zeros(2, 1, size, size))
    assert posterior.mean.shape == posterior.log_variance.shape == (2, 4)
    assert model.decode(posterior.mean).shape == (2, 1, size, size)


def test_same_padding_of_odd_sizes_puts_the_odd_row_last():
    # By hand: 5 pixels, kernel 4, stride 2: 3 outputs need 2*2+4 = 8 = 1 + 5 + 2 pixels.
    conv = new_model(Convolutional(0.25), (1, 20, 20)).encoder[2]
    x = torch.randn(1, 8, 5, 5, generator=torch.Generator().manual_seed(0))
    padded = torch.nn.functional.pad(x, (1, 2, 1, 2))
    by_hand = torch.nn.functional.conv2d(padded, conv.weight, conv.bias, stride=2)
    torch.testing.assert_close(conv(x), by_hand)
    assert conv(x).shape[-2:] == (3, 3)


@pytest.mark.parametrize("architecture", EVERY)
def test_weights_follow_from_the_generator_alone(architecture):
    torch.manual_seed(1)
    before = torch.get_rng_state()
    one, same, other = (new_model(architecture, seed=seed) for seed in (0, 0, 1))
    assert torch.equal(before, torch.get_rng_state())
    for (name, a), b, c in zip(
        one.named_parameters(), same.parameters(), other.parameters(), strict=True
    ):
        assert torch.equal(a, b)
        assert name.endswith("bias") or not torch.equal(a, c)


def test_weights_are_glorot_uniform_and_biases_zero():
    layer = build(lambda: torch.nn.Linear(300, 100), torch.Generator().manual_seed(0))
    limit = (6 / 400) ** 0.5
    assert layer.weight.abs().max() <= limit
    assert layer.weight.std().item() == pytest.approx(limit / 3**0.5, rel=0.02)
    assert not layer.bias.any()


def test_weights_may_start_as_pytorch_makes_them():
    """Within 1/sqrt(inputs), biases too, from the given generator and no other."""

    def start(seed):
        chance = torch.Generator().manual_seed(seed)
        return build(lambda: torch.nn.Linear(400, 300), chance, "torch").state_dict()

    state = torch.random.get_rng_state()
    first, again, other = start(0), start(0), start(1)
    assert torch.equal(torch.random.get_rng_state(), state)
    for name, value in first.items():
        assert torch.equal(value, again[name])
        assert not torch.equal(value, other[name])
        assert 0.045 < value.abs().max() <= 1 / 20
    assert float(first["weight"].std()) == pytest.approx(1 / 20 / 3**0.5, rel=0.01)


def test_a_linear_network_is_affine():
    model = new_model(Linear(), likelihood="gaussian")
    z = torch.randn(3, 4, generator=torch.Generator().manual_seed(0))
    zero = model.decode(torch.zeros(1, 4))
    torch.testing.assert_close(model.decode(2 * z) - zero, 2 * (model.decode(z) - zero))


def test_losses_are_summed_over_pixels_and_averaged_over_images():
    x = torch.full((4, 1, 2, 3), 0.25)
    # Six pixels of (0.75 - 0.25)^2; six of -log(1/2), whatever x is.
    assert squared_error(torch.full_like(x, 0.75), x).item() == pytest.approx(6 * 0.25)
    assert bernoulli_nll(torch.zeros_like(x), x).item() == pytest.approx(6 * 0.693147, rel=1e-5)


def test_bad_architectures_are_named():
    with pytest.raises(ValueError, match="width must be a number above 0, at most 256; got 0"):
        Convolutional(0)
    with pytest.raises(ValueError, match=r"unknown activation 'rely'. Did you mean relu"):
        Mlp(encoder_activation="rely")
    with pytest.raises(ValueError, match="layer widths must be at least 1"):
        Mlp((0,))


@pytest.mark.parametrize(("latent_dim", "n_outputs"), [(1, 2), (2, 5), (3, 9), (10, 65)])
def test_a_full_posterior_takes_means_and_a_triangle(latent_dim, n_outputs):
    # d means, d (d + 1) / 2 entries of L: 10 + 55 = 65. One unit: mean and log-variance.
    assert n_full_outputs(latent_dim) == n_outputs
    chance = torch.Generator().manual_seed(0)
    model = autoencoder(
        Linear(),
        (1, 2, 3),
        latent_dim,
        likelihood="gaussian",
        generator=chance,
        full_covariance=True,
    )
    mean, log_variance, cholesky = model.encode(torch.ones(4, 1, 2, 3))
    assert mean.shape == log_variance.shape == (4, latent_dim)
    assert (cholesky is None) == (latent_dim == 1)


def test_the_outputs_of_a_full_posterior_have_their_places():
    encoder, decoder = torch.nn.Identity(), torch.nn.Identity()
    model = Autoencoder(encoder, decoder, "gaussian", latent_dim=3)
    log_diagonal = torch.tensor([2.0, 3.0, 5.0]).log()
    outputs = torch.cat([torch.tensor([-1.0, -2.0, -3.0]), log_diagonal, torch.arange(7.0, 10.0)])
    mean, log_variance, cholesky = model.encode(outputs[None])
    by_hand = torch.tensor([[2.0, 0.0, 0.0], [7.0, 3.0, 0.0], [8.0, 9.0, 5.0]])
    torch.testing.assert_close(cholesky[0], by_hand)
    torch.testing.assert_close(mean[0], torch.tensor([-1.0, -2.0, -3.0]))
    # The variance of each unit is its entry on the diagonal of L L^T: 4, 49 + 9, 64 + 81 + 25.
    torch.testing.assert_close(log_variance[0].exp(), torch.tensor([4.0, 58.0, 170.0]))


def test_gradients_reach_every_number_of_a_full_posterior():
    model = Autoencoder(torch.nn.Identity(), torch.nn.Identity(), "gaussian", latent_dim=3)
    outputs = torch.randn(2, 9, generator=torch.Generator().manual_seed(0), requires_grad=True)
    mean, _, cholesky = model.encode(outputs)
    (mean.sum() + cholesky.sum()).backward()
    assert (outputs.grad != 0).all()
