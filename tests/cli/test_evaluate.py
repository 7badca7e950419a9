"""`gordium evaluate` of a file of arrays and of a run."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from gordium.cli.main import app
from gordium.metrics import list_metrics, mig

RNG = np.random.default_rng(0)
FACTORS = RNG.integers((3, 4), size=(90, 2))
CODES = FACTORS + 0.1 * RNG.standard_normal((90, 2))


def evaluate(*arguments):
    return CliRunner(env={"COLUMNS": "160"}).invoke(app, ["evaluate", *map(str, arguments)])


@pytest.fixture
def mine(tmp_path):
    np.savez(tmp_path / "mine.npz", codes=CODES, factors=FACTORS)
    return tmp_path / "mine.npz"


def test_a_file_is_scored_beside_it(mine):
    done = evaluate(mine, "--metrics", "mig, mcc")
    assert done.exit_code == 0, done.stderr
    assert f"{mig(CODES, FACTORS):.4f}" in done.stdout
    assert "samples" in done.stdout
    assert "90" in done.stdout
    found = json.loads(mine.with_name("mine.scores.json").read_text())
    assert list(found["scores"]) == ["mig", "mcc"]
    assert sorted(path.name for path in mine.parent.iterdir()) == ["mine.npz", "mine.scores.json"]


def test_an_undefined_score_is_null_and_said(tmp_path):
    np.savez(tmp_path / "one.npz", codes=CODES[:, :1], factors=FACTORS[:, :1])
    done = evaluate(tmp_path / "one.npz", "--metrics", "dci")
    assert done.exit_code == 0, done.stderr
    assert "undefined" in done.stdout

    def refuse(word):
        raise AssertionError(word)

    text = (tmp_path / "one.scores.json").read_text()
    found = json.loads(text, parse_constant=refuse)
    assert found["scores"]["dci"] is None


@pytest.mark.parametrize(
    ("option", "value"), [("--samples", 0), ("--seed", -1), ("--metrics", " , ")]
)
def test_numbers_out_of_range_are_refused_by_name(mine, option, value):
    done = evaluate(mine, option, value)
    assert done.exit_code == 2
    assert option in done.stderr


def test_what_all_leaves_out_is_said(mine, tmp_path):
    done = evaluate(mine, "--metrics", "all", "--out", tmp_path / "a.json")
    assert done.exit_code == 0, done.stderr
    assert "left out: needs log_variances" in done.stdout
    found = json.loads((tmp_path / "a.json").read_text())
    assert len(found["estimators"]) == len(list_metrics()) - 2


def test_a_run_is_scored_with_all_metrics_into_a_file_of_choice(room, tmp_path):
    import gordium as gd
    from gordium.networks import Linear

    options = {"steps": 3, "latent_dim": 2, "architecture": Linear()}
    gd.train(gd.methods.BetaVAE(), room, folder=tmp_path / "run", **options)
    done = evaluate(tmp_path / "run", "--metrics", "all", "--out", tmp_path / "a.json")
    assert done.exit_code == 0, done.stderr
    assert "active units" in done.stdout
    found = json.loads((tmp_path / "a.json").read_text())
    slow = found["left_out"]
    assert list(slow) == ["downstream_logistic"]
    assert list(found["estimators"]) == [name for name in list_metrics() if name not in slow]
    assert not (tmp_path / "run" / "scores.json").exists()


def test_help_names_the_arrays_and_shows_an_example():
    done = evaluate("--help")
    for text in ("numpy.savez(", "codes", "factors", "log_variances", "mine.scores.json", "--list"):
        assert text in done.stdout


def test_the_metrics_are_listed_without_a_source():
    done = evaluate("--list")
    assert done.exit_code == 0, done.stderr
    assert [name for name in list_metrics() if name not in done.stdout] == []


BAD = {
    "no file": (["none.npz"], 1, "there is no file none.npz"),
    "no arrays": (["other.npz"], 1, "has no array codes and no array factors; it has x"),
    "not an npz": (["text.npz"], 1, "text.npz is not an .npz file, or was cut short"),
    "another kind of file": (["text.csv"], 1, "text.csv is not an .npz file"),
    "objects": (["objects.npz"], 1, "holds Python objects"),
    "unknown metric": (["mine.npz", "--metrics", "migg"], 1, "Did you mean mig"),
    "posteriors": (["mine.npz", "--metrics", "mig_aggregate_posterior"], 1, "log_variances"),
    "no metric": (["mine.npz", "--metrics", ","], 2, "names with commas between"),
    "samples of a file": (["mine.npz", "--samples", "5"], 2, "--samples is for runs"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_clear_sentence(case, mine, monkeypatch):
    arguments, code, text = BAD[case]
    monkeypatch.chdir(mine.parent)
    np.savez("other.npz", x=CODES)
    np.savez("objects.npz", codes=CODES, factors=FACTORS.astype(object))
    for name in ("text.npz", "text.csv"):
        (mine.parent / name).write_text("codes,factors\n1,2\n")
    done = evaluate(*arguments)
    assert done.exit_code == code, done.stderr
    assert text in done.stderr
    assert not mine.with_name("mine.scores.json").exists()
