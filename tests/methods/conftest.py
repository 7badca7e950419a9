"""What tests of methods share: a small linear model in double precision, and small runs."""

import numpy as np
import pytest
import torch

import gordium as gd
from gordium.methods import Networks, forward
from gordium.networks import Convolutional, Linear, autoencoder
from gordium.training import Adam, Recording

SMALL = {
    "latent_dim": 2,
    "architecture": Convolutional(0.125),
    "optimiser": Adam(1e-3),
    "batch_size": 16,
}
OFTEN = Recording(record_every=4, checkpoint_seconds=0, report_seconds=0)


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


class Cut(Exception):
    pass


@pytest.fixture
def small_run(room):
    """Train a method for some steps on 120 small images."""

    def run(method, steps, every=None):
        return gd.train(method, room, steps=steps, recording=Recording(every), **SMALL)

    return run


@pytest.fixture
def assert_resumes(tmp_path, room):
    """A run that is cut twice ends in the same bits, and its model can be loaded."""

    def cut(done, total, note):
        if done % 4 == 3:
            raise Cut

    def check(method):
        settings = {"steps": 10, "recording": OFTEN, **SMALL}
        before = torch.get_rng_state()
        whole = gd.train(method, room, folder=tmp_path / "whole", **settings)
        for _ in range(2):
            with pytest.raises(Cut):
                gd.train(method, room, folder=tmp_path / "cut", report=cut, **settings)
        resumed = gd.train(method, room, folder=tmp_path / "cut", **settings)
        names = ("cut", "whole")
        files = [(tmp_path / name / "model.safetensors").read_bytes() for name in names]
        assert files[0] == files[1]
        assert resumed.history == whole.history
        assert torch.equal(before, torch.get_rng_state())
        codes = [
            gd.encode(run.model, room, n=20).codes
            for run in (whole, gd.load_run(tmp_path / "whole"))
        ]
        # The loaded model has another memory layout, so its sums may differ in the last bits.
        np.testing.assert_allclose(codes[0], codes[1], rtol=1e-4, atol=1e-5)

    return check
