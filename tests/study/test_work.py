"""A declared run goes from training to scores, and is not done twice."""

import json

import numpy as np
import pytest

import gordium as gd
from gordium.methods import AE, BetaVAE
from gordium.networks import Linear
from gordium.study import evaluate, load_representation, train_and_score
from gordium.training import Settings
from gordium.training.runs import declare


@pytest.fixture
def declaration(room):
    settings = Settings(latent_dim=2, steps=5, architecture=Linear())
    return json.loads(json.dumps(declare(BetaVAE(), room, settings)))


def test_scores_are_those_of_the_saved_representation(declaration, tmp_path):
    found = train_and_score(declaration, str(tmp_path))
    scores = json.loads((tmp_path / "scores.json").read_text())
    rep = load_representation(tmp_path)
    assert found["mig"] == scores["scores"]["mig"] == gd.metrics.mig(rep.codes, rep.factors)
    assert scores["n_images"] == len(rep.codes) == 120
    assert scores["active_units"] == gd.active_units(rep.log_variances).sum()


def test_scores_say_where_they_come_from(declaration, tmp_path):
    train_and_score(declaration, str(tmp_path))
    scores = json.loads((tmp_path / "scores.json").read_text())
    assert scores["declaration"] == declaration
    assert scores["versions"]["gordium"] == gd.__version__
    assert scores["sampling"] == "every image once, shuffled, seed 0"
    assert scores["estimators"] == {
        "mig": {
            "function": "gordium.metrics.mig",
            "parameters": {"bins": 20},
            "version": gd.__version__,
            "n_samples": 120,
        }
    }


def test_the_rows_of_a_whole_grid_are_in_random_order(declaration, room, tmp_path):
    train_and_score(declaration, str(tmp_path))
    factors = load_representation(tmp_path).factors
    indices = room.index_of(factors)
    assert sorted(indices) == list(range(120))
    # In the order of the grid the last third would hold only the greatest scales.
    assert len(np.unique(factors[-40:, 0])) == 8


def test_what_is_done_is_not_done_again(declaration, tmp_path):
    first = train_and_score(declaration, str(tmp_path))
    (tmp_path / "model.safetensors").unlink()
    assert train_and_score(declaration, str(tmp_path)) == first


def test_an_autoencoder_has_no_active_units_to_count(room, tmp_path):
    run = gd.train(
        AE(), room, steps=2, latent_dim=2, architecture=Linear(), folder=tmp_path / "run"
    )
    scores = evaluate(run, room)
    assert scores["active_units"] is None
    assert np.isfinite(scores["scores"]["mig"])
