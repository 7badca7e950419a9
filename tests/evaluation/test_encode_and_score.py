"""One run has one score, whichever way it is asked for."""

import json
from math import isnan

import numpy as np
import pytest
from typer.testing import CliRunner

import gordium as gd
from gordium.cli.main import app
from gordium.manipulation import load_declared_dataset
from gordium.metrics import list_metrics
from gordium.networks import Convolutional
from gordium.study.jobs import train_and_score
from gordium.study.tasks import Wanted

QUICK = tuple(name for name in list_metrics() if name != "downstream_logistic")
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
    assert {name.partition(".")[0] for name in scores} == set(QUICK)


def test_the_command_line_gives_the_same_bits(run, scores, tmp_path):
    arguments = [str(run.folder), "--metrics", "all", "--out", str(tmp_path / "a.json")]
    done = CliRunner().invoke(app, ["evaluate", *arguments])
    assert done.exit_code == 0, done.output
    assert json.loads((tmp_path / "a.json").read_text())["scores"] == without_nan(scores)


def test_a_study_gives_the_same_bits(run, scores, tmp_path):
    train_and_score(run.spec, str(tmp_path), Wanted(metrics=QUICK))
    assert json.loads((tmp_path / "scores.json").read_text())["scores"] == without_nan(scores)


def test_the_parts_give_the_same_bits(run, room, scores):
    found = gd.encode(run.model, room)
    again = gd.score(**found._asdict(), metrics=QUICK)
    np.testing.assert_equal(again, scores)
    assert gd.metrics.mig(found.codes, found.factors) == scores["mig"]
    assert gd.metrics.dci(found.codes, found.factors)[0] == scores["dci"]


def test_a_model_scores_as_its_run_does_on_the_declared_data(run):
    data = load_declared_dataset(run.config["declaration"]["dataset"])
    options = {"metrics": ["mig", "dci"], "n": 60, "seed": 3}
    assert gd.evaluate(run.model, data, **options) == gd.evaluate(run, data, **options)


def test_an_unknown_metric_is_told_before_anything_is_encoded(run):
    with pytest.raises(ValueError, match="Did you mean mig"):
        gd.evaluate(run, None, metrics="migg")


CODES = np.random.default_rng(0).standard_normal((300, 3)).astype(np.float32)
COLOUR = np.random.default_rng(1).integers(4, size=300)
HUES = ["blue", "cyan", "grey", "red"]


def identity(images):
    return images[:, :, 0, 0]


def data_of(kind, **more):
    factors = {"colour": COLOUR, "turn": (CODES[:, 1] > 0).astype(int)}
    return gd.datasets.FromArrays(CODES, factors, kinds={"colour": kind}, **more)


def test_words_score_as_the_numbers_of_a_nominal_factor_do():
    words = {"colour": np.array(HUES)[COLOUR], "turn": (CODES[:, 1] > 0).astype(int)}
    asked = {"metrics": ["disentanglement_score", "mig", "dci"]}
    found = gd.evaluate(identity, gd.datasets.FromArrays(CODES, words), **asked)
    assert found == gd.evaluate(identity, data_of("nominal"), **asked)
    assert found != gd.evaluate(identity, data_of("ordered"), **asked)


def test_whole_numbers_are_real_where_the_data_set_says_so():
    rep = gd.encode(identity, data_of("continuous"), n=None)
    assert rep.kinds == ("continuous", "ordered")
    found = gd.evaluate(identity, data_of("continuous"), metrics="mig", n=None)
    real = gd.metrics.mig(rep.codes, rep.factors, kinds={0: "continuous"})
    assert found["mig"] == real != gd.metrics.mig(rep.codes, rep.factors)


def test_a_file_of_arrays_may_say_kinds(tmp_path):
    rep = gd.encode(identity, data_of("nominal"))
    arrays = {name: array for name, array in rep._asdict().items() if array is not None}
    np.savez(tmp_path / "a.npz", **arrays)
    asked = ("disentanglement_score",)
    found = gd.evaluation.evaluate_arrays(tmp_path / "a.npz", metrics=asked)["scores"]
    assert found == gd.evaluate(identity, data_of("nominal"), metrics=asked)
    np.savez(tmp_path / "b.npz", **{**arrays, "kinds": [1, 2]})
    with pytest.raises(ValueError, match=r"kinds in .*b.npz must be a word for each factor"):
        gd.evaluation.evaluate_arrays(tmp_path / "b.npz", metrics=asked)
