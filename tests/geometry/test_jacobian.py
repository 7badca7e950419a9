"""Jacobians against matrices, finite differences and reverse mode."""

import pytest
import torch
from torch import nn

from gordium.geometry import gram_matrices, jacobian
from gordium.geometry.layers import list_layers
from gordium.networks import Autoencoder, Convolutional, Linear, Mlp, autoencoder, build
from gordium.networks.direct import use_pytorch_alone
from gordium.networks.layers import Crop


@pytest.fixture(scope="module")
def convolutional():
    """A small convolutional decoder in double precision."""
    generator = torch.Generator().manual_seed(0)
    network = build(lambda: Convolutional(0.1).decoder(3, (3, 20, 16)), generator).double()
    return lambda z: torch.sigmoid(network(z))


def points(n, d, seed=1):
    return torch.randn(n, d, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def test_a_linear_decoder_has_its_matrix_everywhere():
    matrix = points(12, 3)
    found = jacobian(lambda z: (z @ matrix.T + 5).unflatten(1, (3, 2, 2)), points(5, 3), chunk=2)
    assert found.shape == (5, 3, 2, 2, 3)
    torch.testing.assert_close(found.flatten(1, 3), matrix.expand(5, 12, 3))


def test_a_curved_decoder_has_the_derivative_taken_by_hand():
    # (a b, sin a, b^2) has the rows (b, a), (cos a, 0), (0, 2 b).
    z = points(4, 2)
    a, b = z.T
    found = jacobian(lambda z: torch.stack([z[:, 0] * z[:, 1], z[:, 0].sin(), z[:, 1] ** 2], 1), z)
    nil = torch.zeros(4, dtype=torch.float64)
    by_hand = torch.stack([torch.stack([b, a], 1), torch.stack([a.cos(), nil], 1)], 1)
    torch.testing.assert_close(found[:, :2], by_hand)
    torch.testing.assert_close(found[:, 2], torch.stack([nil, 2 * b], 1))


def test_a_convolutional_decoder_agrees_with_finite_differences(convolutional):
    z, step = points(3, 3), 1e-6
    found = jacobian(convolutional, z)
    assert found.shape == (3, 3, 20, 16, 3)
    for unit, move in enumerate(step * torch.eye(3, dtype=torch.float64)):
        with torch.no_grad():
            slope = (convolutional(z + move) - convolutional(z - move)) / (2 * step)
        torch.testing.assert_close(found[..., unit], slope, atol=1e-8, rtol=1e-6)


def test_a_convolutional_decoder_agrees_with_reverse_mode(convolutional):
    z = points(2, 3)
    for row, found in zip(z, jacobian(convolutional, z), strict=True):
        whole = torch.autograd.functional.jacobian(convolutional, row[None])
        torch.testing.assert_close(found, whole[0, :, :, :, 0])


def test_chunks_do_not_matter_and_nothing_is_recorded(convolutional):
    z = points(5, 3)
    whole = jacobian(convolutional, z, chunk=5)
    torch.testing.assert_close(jacobian(convolutional, z, chunk=2), whole)
    assert not whole.requires_grad


def test_gram_matrices_are_products_of_columns(convolutional):
    z = points(5, 3)
    flat = jacobian(convolutional, z).flatten(1, 3)
    expected = torch.einsum("npi,npj->nij", flat, flat)
    torch.testing.assert_close(gram_matrices(convolutional, z, chunk=2), expected)
    single = gram_matrices(lambda z: z @ torch.ones(2, 2), torch.ones(1, 2))
    assert single.dtype == torch.float64


ARCHITECTURES = {"conv": Convolutional(0.1), "mlp": Mlp((4,), (8, 5)), "linear": Linear()}


@pytest.mark.parametrize("name", ARCHITECTURES)
@pytest.mark.parametrize("likelihood", ["bernoulli", "gaussian"])
@pytest.mark.parametrize("channels", [1, 3, 9])
def test_the_layers_of_a_model_agree_with_any_function(name, likelihood, channels):
    chance = torch.Generator().manual_seed(2)
    model = autoencoder(
        ARCHITECTURES[name], (channels, 20, 16), 3, likelihood=likelihood, generator=chance
    ).double()
    z = points(5, 3)
    before = z.clone()
    assert list_layers(model.decode) is not None
    anything = lambda rows: model.decode(rows)  # noqa: E731 - a function without layers
    assert list_layers(anything) is None
    torch.testing.assert_close(
        jacobian(model.decode, z, chunk=2), jacobian(anything, z), rtol=1e-9, atol=1e-12
    )
    torch.testing.assert_close(gram_matrices(model.decode, z), gram_matrices(anything, z))
    torch.testing.assert_close(z, before, rtol=0, atol=0)


@pytest.mark.parametrize("likelihood", ["bernoulli", "gaussian"])
@pytest.mark.parametrize("n", [16, 19, 48])
def test_the_direct_kernels_push_derivatives_as_any_function_does(n, likelihood):
    chance = torch.Generator().manual_seed(3)
    model = autoencoder(Convolutional(0.1), (3, 20, 16), 4, likelihood=likelihood, generator=chance)
    z = points(n, 4).float()
    expected = jacobian(lambda rows: model.decode(rows), z)
    assert jacobian(model.decode, z).sub(expected).abs().max() < 1e-5 * expected.abs().max()
    with use_pytorch_alone():
        torch.testing.assert_close(jacobian(model.decode, z), expected, rtol=1e-4, atol=1e-6)


def test_a_first_layer_may_be_pointwise():
    layers = nn.Sequential(nn.Tanh(), nn.Linear(3, 2)).double()
    z = points(4, 3)
    torch.testing.assert_close(jacobian(layers, z), jacobian(lambda rows: layers(rows), z))


def test_a_convolution_may_be_followed_by_the_mean_alone():
    decoder = nn.Sequential(
        nn.Linear(2, 12), nn.Unflatten(1, (3, 2, 2)), nn.ConvTranspose2d(3, 1, 4, 2, 1)
    )
    model = Autoencoder(nn.Flatten(), decoder, "bernoulli", latent_dim=2)
    z = points(16, 2).float()
    torch.testing.assert_close(jacobian(model.decode, z), jacobian(lambda x: model.decode(x), z))


@pytest.mark.parametrize("kernel", [(4, 2, 1), (4, 2, 0), (3, 2, 1), (4, 1, 1)])
@pytest.mark.parametrize("bias", [True, False])
def test_transposed_convolutions_of_all_kinds_agree_with_any_function(kernel, bias):
    size, stride, padding = kernel
    layers = nn.Sequential(
        nn.Unflatten(1, (1, 2, 2)),
        nn.ConvTranspose2d(1, 2, size, stride=stride, padding=padding, bias=bias),
        nn.Sigmoid(),
        nn.ConvTranspose2d(2, 3, size, stride=stride, padding=padding, bias=bias),
        nn.Tanh(),
    ).double()
    z = points(3, 4)
    assert list_layers(layers) is not None
    torch.testing.assert_close(jacobian(layers, z), jacobian(lambda rows: layers(rows), z))


def test_layers_that_are_not_known_are_left_to_the_general_way():
    linear = nn.Linear(2, 2)
    assert list_layers(nn.Sequential(linear, nn.ReLU(inplace=True))) is not None
    for other in (nn.GELU(), nn.BatchNorm1d(2), nn.Unflatten(0, (1, 1)), nn.Sequential(linear)):
        assert list_layers(nn.Sequential(linear, other)) is None
    scaled = nn.Sequential(nn.utils.parametrizations.spectral_norm(nn.Linear(2, 2)))
    assert list_layers(scaled) is None
    hooked = nn.Linear(2, 2)
    hooked.register_forward_hook(lambda module, args, output: 2 * output)
    assert list_layers(nn.Sequential(hooked)) is None

    class Doubled(Autoencoder):
        def decode(self, z):
            return 2 * super().decode(z)

    doubled = Doubled(nn.Identity(), nn.Sequential(linear), "gaussian", latent_dim=2)
    assert list_layers(doubled.decode) is None
    found = jacobian(doubled.decode, torch.zeros(1, 2))[0]
    torch.testing.assert_close(found, 2 * linear.weight.detach())


def test_a_first_layer_in_place_leaves_the_points_alone():
    z = torch.tensor([[-1.0, 2.0]])
    found = jacobian(nn.Sequential(nn.ReLU(inplace=True)), z)
    assert z.tolist() == [[-1, 2]]
    assert found.tolist() == [[[0, 0], [0, 1]]]
    cropped = nn.Sequential(nn.Unflatten(1, (1, 1, 2)), Crop(1, 1))
    assert jacobian(cropped, z).tolist() == [[[[[1, 0]]]]]


@pytest.mark.parametrize("function", [jacobian, gram_matrices])
def test_bad_points_are_refused(function):
    with pytest.raises(ValueError, match=r"z must be \(n, d\), one latent point a row; got \(3,\)"):
        function(lambda z: z, torch.zeros(3))
    with pytest.raises(ValueError, match=r"got \(0, 3\)"):
        function(lambda z: z, torch.zeros(0, 3))
    with pytest.raises(TypeError, match=r"real numbers; got torch\.int64"):
        function(lambda z: z, torch.zeros(1, 3, dtype=torch.int64))
    with pytest.raises(ValueError, match="chunk must be at least 1; got 0"):
        function(lambda z: z, torch.zeros(1, 3), chunk=0)
