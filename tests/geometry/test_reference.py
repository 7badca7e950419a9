"""The distance to orthogonality against values computed elsewhere on the same Jacobians."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from gordium.geometry import jacobian
from gordium.geometry.orthogonality import matrix_distance, near_degenerate

REGULAR = (
    "axis_aligned_d5",
    "fixed_rotation_d5",
    "rot45_pair_d5",
    "random_gaussian_d10",
    "mlp_decoder_d5",
    "one_dead_latent_d5",
)


@pytest.fixture(scope="module")
def golden(reference: Path):
    return json.loads((reference / "metrics" / "golden.json").read_text())


@pytest.fixture(scope="module")
def jacobians(reference: Path):
    with np.load(reference / "metrics" / "dto_jacobians.npz") as arrays:
        return dict(arrays)


def gram(jacobian):
    return np.einsum("npi,npj->nij", jacobian, jacobian)


@pytest.mark.parametrize("name", REGULAR)
def test_distances_are_those_of_the_reference(golden, jacobians, name):
    expected = golden[f"dto__{name}"]["dto"]["scores"]
    found = matrix_distance(gram(jacobians[name].astype(np.float64)))
    assert found.mean() == pytest.approx(expected["dto"], abs=1e-6)
    assert found[:5] == pytest.approx(expected["per_sample_first5"], abs=1e-6)


@pytest.mark.parametrize("name", ["two_dead_latents_d5", "equal_singular_values_d5", "wide_m3_d5"])
def test_repeated_singular_values_are_reported(jacobians, name):
    """Two columns of zeros, five equal values, or rank 3 of 5: no order of them means anything."""
    assert near_degenerate(gram(jacobians[name].astype(np.float64))).all()


def test_jacobian_of_the_reference_decoder(jacobians):
    w1, b1, w2 = (
        torch.from_numpy(jacobians[f"mlp_{name}"]).double() for name in ("W1", "b1", "W2")
    )

    def decoder(z):
        return torch.tanh(z @ w1 + b1) @ w2

    z = torch.from_numpy(jacobians["mlp_z"]).double()
    found = np.asarray(jacobian(decoder, z)).reshape(100, 64, 5)
    assert found == pytest.approx(jacobians["mlp_decoder_d5"], abs=1e-5)
