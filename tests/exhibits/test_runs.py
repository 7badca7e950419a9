"""Runs that an exhibit needs: what failed is tried again when the exhibit is."""

from pathlib import Path

from gordium.datasets import SyntheticLinear
from gordium.exhibits import runs
from gordium.exhibits.base import Place
from gordium.methods import BetaVAE
from gordium.networks import Linear
from gordium.study.arm import Arm
from gordium.training import Settings
from gordium.training.folder import is_finished


def test_starting_again_tries_failed_runs_again(tmp_path: Path) -> None:
    place = Place("smoke", tmp_path, 1)
    settings = Settings(latent_dim=2, architecture=Linear(), likelihood="gaussian", steps=2)
    tasks = Arm.of(BetaVAE(beta=1.0), settings).on(SyntheticLinear(n=50), [0, 1])
    score = ("disentanglement_score",)
    runs.train_all(place, tasks[:1], title="one", metrics=score)
    store = runs.store_in(place)
    claim = store.claim(tasks[1].key)
    store.fail(claim, "the other", "the power went")
    store.release(claim)
    folders = runs.train_all(place, tasks, title="both", metrics=score)
    assert all(is_finished(folder) for folder in folders)
    assert not store.read_failed()
