"""Every method trains on every data set that needs no file; what learns from pairs needs a grid."""

import math

import pytest

from gordium.datasets import DATASETS, load_dataset
from gordium.datasets.readers.idx import Labelled
from gordium.datasets.readers.reader import Reader
from gordium.methods import METHODS
from gordium.networks import Mlp
from gordium.training import train

BUILT_IN = [name for name, kind in DATASETS.items() if not issubclass(kind, Reader | Labelled)]
SMALL = Mlp((8,), (8,))


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_method_trains(name: str, monkeypatch) -> None:
    monkeypatch.setenv("GORDIUM_QUIET", "1")
    dataset = load_dataset(name)
    if dataset.is_grid:
        dataset = load_dataset(name, size=16)
    likelihood = "bernoulli" if dataset.itemsize == 1 else "gaussian"
    for method in METHODS.values():
        chosen = method()
        settings = {"steps": 2, "latent_dim": 20, "batch_size": 8, "architecture": SMALL}
        if chosen.pairing is not None and not dataset.is_grid:
            with pytest.raises(ValueError, match="grid"):
                train(chosen, dataset, likelihood=likelihood, **settings)
            continue
        run = train(chosen, dataset, likelihood=likelihood, **settings)
        assert math.isfinite(run.history[-1]["loss"])


def test_there_are_built_in_ones_of_either_kind() -> None:
    assert {"dsprites", "shapes3d", "cars3d-like", "synthetic-linear"} <= set(BUILT_IN)
