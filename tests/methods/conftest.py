"""What tests of methods share: small runs, whole and cut."""

import numpy as np
import pytest
import torch

import gordium as gd
from gordium.networks import Convolutional
from gordium.training import Adam, Recording

SMALL = {
    "latent_dim": 2,
    "architecture": Convolutional(0.125),
    "optimiser": Adam(1e-3),
    "batch_size": 16,
}
OFTEN = Recording(record_every=4, checkpoint_seconds=0, report_seconds=0)


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
