"""Jacobians against matrices, finite differences and reverse mode."""

import pytest
import torch

from gordium.geometry import gram_matrices, jacobian
from gordium.networks import Convolutional, build


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
