"""A declared run goes from training to scores, and is not done twice."""

import json

import numpy as np
import pytest

import gordium as gd
from gordium.evaluation.run_scores import evaluate_run, load_representation
from gordium.methods import AE, BetaVAE
from gordium.networks import Linear
from gordium.spec import RunSpec
from gordium.study.jobs import train_and_score
from gordium.training import Settings


@pytest.fixture
def spec(room):
    settings = Settings(latent_dim=2, steps=5, architecture=Linear())
    return RunSpec.from_json(
        json.loads(json.dumps(RunSpec.of(BetaVAE(), room, settings).to_json()))
    )


def test_scores_are_those_of_the_saved_representation(spec, tmp_path):
    found = train_and_score(spec, str(tmp_path))
    scores = json.loads((tmp_path / "scores.json").read_text())
    rep = load_representation(tmp_path)
    assert found["mig"] == scores["scores"]["mig"] == gd.metrics.mig(rep.codes, rep.factors)
    assert scores["n_images"] == len(rep.codes) == 120
    assert scores["active_units"] == gd.active_units(rep.log_variances).sum()


def test_scores_say_where_they_come_from(spec, tmp_path):
    train_and_score(spec, str(tmp_path))
    scores = json.loads((tmp_path / "scores.json").read_text())
    assert scores["declaration"] == spec.to_json()
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


def test_the_rows_of_a_whole_grid_are_in_random_order(spec, room, tmp_path):
    train_and_score(spec, str(tmp_path))
    factors = load_representation(tmp_path).factors
    indices = room.index_of(factors)
    assert sorted(indices) == list(range(120))
    # In the order of the grid the last third would hold only the greatest scales.
    assert len(np.unique(factors[-40:, 0])) == 8


def test_what_is_done_is_not_done_again(spec, tmp_path):
    first = train_and_score(spec, str(tmp_path))
    (tmp_path / "model.safetensors").unlink()
    assert train_and_score(spec, str(tmp_path)) == first


def test_an_autoencoder_has_no_active_units_to_count(room, tmp_path):
    run = gd.train(
        AE(), room, steps=2, latent_dim=2, architecture=Linear(), folder=tmp_path / "run"
    )
    scores = evaluate_run(run, room)
    assert scores["active_units"] is None
    assert np.isfinite(scores["scores"]["mig"])
