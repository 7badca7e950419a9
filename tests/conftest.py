"""Fixtures for all tests: a cache of their own, and the folder of genuine reference data."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def cache_of_the_tests(tmp_path_factory):
    """No test reads or writes the user's cache, nor finds the user's data files.

    Processes that share a run of the tests share its cache: what one has rendered, all read.
    """
    shared = "PYTEST_XDIST_WORKER" in os.environ
    base = tmp_path_factory.getbasetemp()
    cache = base.parent / "cache" if shared else tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GORDIUM_CACHE", str(cache))
        patch.delenv("GORDIUM_DATA", raising=False)
        yield


@pytest.fixture(scope="session")
def reference():
    """The folder of reference data: GORDIUM_REFERENCE, or beside the repository."""
    beside = Path(__file__).parents[2] / "shared" / "reference"
    folder = Path(os.environ.get("GORDIUM_REFERENCE", beside))
    if not folder.is_dir():
        pytest.skip("reference folder not found")
    return folder


@pytest.fixture(scope="session")
def room():
    """120 small images of two ordered factors, scale and orientation."""
    from gordium.datasets import in_memory, load_dataset

    held = {"floor_hue": 0, "wall_hue": 5, "object_hue": 8, "shape": 0}
    return in_memory(load_dataset("shapes3d", size=16).hold(**held))
