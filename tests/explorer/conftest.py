"""Small runs and their pages."""

import pytest

import gordium as gd
from gordium.explorer import explore
from gordium.networks import Convolutional

SMALL = Convolutional(0.125)


def trained(dataset, method=None, **settings):
    given = {"steps": 3, "latent_dim": 4, "seed": 0, "architecture": SMALL, **settings}
    method = method or gd.methods.BetaVAE(beta=0.1)
    return gd.train(method, dataset, report=lambda *_: None, **given)


@pytest.fixture(scope="session")
def rooms():
    """480 000 small images: too many for a page, so that lines are stored."""
    return gd.load_dataset("shapes3d", size=16)


@pytest.fixture(scope="session")
def run(room):
    return trained(room, steps=60)


@pytest.fixture(scope="session")
def page(run, tmp_path_factory):
    """The page of a run on a grid of 120 images, which it holds whole."""
    return explore(run, points=60).save(tmp_path_factory.mktemp("page") / "page.html")
