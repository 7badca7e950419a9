"""One run has one score, whichever way it is asked for."""

import json
from math import isnan

import numpy as np
import pytest
from typer.testing import CliRunner

import gordium as gd
from gordium.cli.main import app
from gordium.metrics import list_metrics
from gordium.networks import Convolutional
from gordium.study.work import declared_dataset, train_and_score

OPTIONS = {"steps": 5, "latent_dim": 3, "architecture": Convolutional(0.125)}


@pytest.fixture(scope="module")
def run(room, tmp_path_factory):
    folder = tmp_path_factory.mktemp("run") / "run"
    return gd.train(gd.methods.BetaVAE(), room, folder=folder, **OPTIONS)


@pytest.fixture(scope="module")
def scores(run, room):
    return gd.evaluate(run, room, metrics="all")


def without_nan(scores):
    return {name: None if isnan(value) else value for name, value in scores.items()}


def test_all_are_all_metrics(scores):
    assert {name.partition(".")[0] for name in scores} == set(list_metrics())


def test_the_command_line_gives_the_same_bits(run, scores, tmp_path):
    arguments = [str(run.folder), "--metrics", "all", "--out", str(tmp_path / "a.json")]
    done = CliRunner().invoke(app, ["evaluate", *arguments])
    assert done.exit_code == 0, done.output
    assert json.loads((tmp_path / "a.json").read_text())["scores"] == without_nan(scores)


def test_a_study_gives_the_same_bits(run, scores, tmp_path):
    train_and_score(run.spec, str(tmp_path), tuple(list_metrics()))
    assert json.loads((tmp_path / "scores.json").read_text())["scores"] == without_nan(scores)


def test_the_parts_give_the_same_bits(run, room, scores):
    found = gd.encode(run.model, room)
    again = gd.score(
        found.codes, found.factors, log_variances=found.log_variances, metrics=list_metrics()
    )
    np.testing.assert_equal(again, scores)
    assert gd.metrics.mig(found.codes, found.factors) == scores["mig"]
    assert gd.metrics.dci(found.codes, found.factors)[0] == scores["dci"]


def test_a_model_scores_as_its_run_does_on_the_declared_data(run):
    data = declared_dataset(run.config["declaration"]["dataset"])
    options = {"metrics": ["mig", "dci"], "n": 60, "seed": 3}
    assert gd.evaluate(run.model, data, **options) == gd.evaluate(run, data, **options)


def test_an_unknown_metric_is_told_before_anything_is_encoded(run):
    with pytest.raises(ValueError, match="Did you mean mig"):
        gd.evaluate(run, None, metrics="migg")
