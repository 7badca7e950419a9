"""Decoders of NumPy arrays: derivatives by differences, against those by hand and by PyTorch."""

import numpy as np
import pytest
import torch

from gordium.geometry import (
    distance_to_orthogonality,
    gram_matrices,
    jacobian,
    plane_traversal,
    traversals,
)

RNG = np.random.default_rng(0)
Z = RNG.standard_normal((5, 3))
MATRIX = RNG.standard_normal((3, 8))


def curved(z, sine=np.sin):
    return (sine(z @ MATRIX) + (z**2).sum(1)[:, None]).reshape(-1, 2, 2, 2)


@pytest.mark.parametrize("of", [lambda module: module, lambda module: module.forward])
def test_a_module_is_refused_arrays_and_told_what_to_give(of):
    with pytest.raises(TypeError, match=r"give torch\.from_numpy\(z\)"):
        distance_to_orthogonality(of(torch.nn.Linear(3, 8)), Z)


def test_differences_are_the_derivative_taken_by_hand():
    found = jacobian(curved, Z, chunk=2)
    slope = np.cos(Z @ MATRIX)[:, :, None] * MATRIX.T + 2 * Z[:, None, :]
    assert isinstance(found, np.ndarray)
    np.testing.assert_allclose(found.reshape(5, 8, 3), slope, atol=1e-9)


def test_numpy_and_torch_agree():
    matrix = torch.from_numpy(MATRIX)

    def same(z):
        return (torch.sin(z @ matrix) + (z**2).sum(1)[:, None]).reshape(-1, 2, 2, 2)

    np.testing.assert_allclose(
        gram_matrices(curved, Z), gram_matrices(same, torch.from_numpy(Z)), rtol=1e-7, atol=1e-8
    )
    found = distance_to_orthogonality(curved, Z).distance
    expected = distance_to_orthogonality(same, torch.from_numpy(Z)).distance
    assert found == pytest.approx(expected, abs=1e-6)


def test_decoders_of_single_precision_are_differentiated_with_longer_steps():
    found = jacobian(lambda z: curved(z).astype(np.float32), Z)
    np.testing.assert_allclose(found, jacobian(curved, Z), atol=2e-3)


def test_traversals_of_a_numpy_decoder_are_its_images():
    [row] = traversals(curved, Z[0], [-1.0, 1.0], units=[1])
    moved = np.stack([Z[0], Z[0]])
    moved[:, 1] = [-1, 1]
    np.testing.assert_array_equal(row, curved(moved))
    assert plane_traversal(curved, Z[0], [0.0, 1.0], units=(0, 2)).shape == (2, 2, 2, 2, 2)


@pytest.mark.parametrize(
    ("decoder", "z", "text"),
    [
        (lambda z: torch.zeros(len(z), 4), Z, "Give z as a tensor to a decoder of tensors"),
        (lambda z: np.zeros((len(z), 4), np.uint8), Z, "must not round images"),
        (lambda z: curved(z)[:1], Z, "a row for each of the 5 points"),
        (curved, Z.tolist(), "z must be a tensor or a NumPy array"),
        (curved, Z.astype(int), "z must hold real numbers"),
    ],
)
def test_what_cannot_be_differentiated_is_told_why(decoder, z, text):
    with pytest.raises(TypeError, match=text):
        jacobian(decoder, z)
