"""A small linear model in double precision, images for it, and a pass through it."""

import pytest
import torch

from gordium.methods import Networks, forward
from gordium.networks import Linear, autoencoder


def seeded(seed):
    return torch.Generator().manual_seed(seed)


@pytest.fixture
def linear():
    """Six pixels, three latent units, log-variances that differ from image to image."""
    model = autoencoder(Linear(), (1, 2, 3), 3, likelihood="gaussian", generator=seeded(0))
    return model.double()


@pytest.fixture
def images():
    return torch.rand(8, 1, 2, 3, generator=seeded(1), dtype=torch.float64)


@pytest.fixture
def out(linear, images):
    return forward(Networks(linear), images, seeded(2))


@pytest.fixture
def by_hand(out):
    """The reconstruction and the KL of `out`, from torch.distributions and sums."""
    posterior = torch.distributions.Normal(out.mean, (0.5 * out.log_variance).exp())
    prior = torch.distributions.Normal(torch.zeros_like(out.mean), torch.ones_like(out.mean))
    kl = torch.distributions.kl_divergence(posterior, prior)
    squares = ((out.output - out.x) ** 2).flatten(1).sum(dim=1)
    return squares.mean(), kl
