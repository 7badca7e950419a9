"""Angles between a decoder's directions and the data's, for decoders made by hand."""

from math import sqrt

import numpy as np
import pytest
import torch

import gordium as gd
from gordium.datasets import SyntheticLinear
from gordium.explain.alignment import alignment
from gordium.explain.subject import encode_subject
from gordium.methods import VAE
from gordium.networks import Linear

DATA = SyntheticLinear(n=300)


@pytest.fixture(scope="module")
def run():
    options = {"latent_dim": 2, "steps": 1, "architecture": Linear(), "likelihood": "gaussian"}
    return gd.train(VAE(), DATA, device="cpu", **options)


def aligned(run, turn):
    """The angles of a decoder that is the data's own linear map after a turn of the codes."""
    square, points = DATA.samples.values, DATA.samples.points
    sides = np.linalg.lstsq(square - square.mean(0), points - points.mean(0), rcond=None)[0].T
    with torch.no_grad():
        run.model.decoder[0].weight.copy_(torch.from_numpy(sides @ turn))
    return alignment(encode_subject(run, DATA, points=3, seed=0))


def test_a_decoder_along_the_factors_has_no_angles(run):
    assert list(aligned(run, np.eye(2)).values()) == pytest.approx([0, 0, 0, 0], abs=0.1)


def test_turned_units_leave_the_factors_and_the_decoder_does_not(run):
    # Sides 2 and 1 turned by 45 degrees are (2, 1) and (-2, 1): one is arctan(1 / 2) from the
    # first side, the other arctan(2) from the second, 45 degrees on average.
    found = aligned(run, np.array([[1, -1], [1, 1]]) / sqrt(2))
    assert found["units_to_factors"] == pytest.approx(45, abs=0.1)
    assert found["units_to_components"] == pytest.approx(45, abs=0.1)
    assert found["decoder_to_components"] == pytest.approx(0, abs=0.1)
    assert found["components_to_factors"] == pytest.approx(0, abs=0.1)
