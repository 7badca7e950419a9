"""A file of arrays from any software: scored as in memory, or refused in a clear sentence."""

import json
import pickle
import zipfile

import numpy as np
import pytest

import gordium as gd
from gordium.evaluation import evaluate_arrays, load_arrays
from gordium.files import read_sealed
from gordium.metrics import METRICS, OF_POSTERIORS

RNG = np.random.default_rng(0)
FACTORS = RNG.integers((3, 4), size=(90, 2))
CODES = FACTORS + 0.1 * RNG.standard_normal((90, 2))
CHEAP = ("mig", "sap", "mcc")


@pytest.fixture
def save(tmp_path):
    def write(**arrays):
        np.savez(tmp_path / "mine.npz", **arrays)
        return tmp_path / "mine.npz"

    return write


def test_a_file_scores_as_its_arrays_do(save):
    path = save(codes=CODES, factors=FACTORS)
    found = evaluate_arrays(path, metrics=CHEAP, seed=2)
    assert found["scores"] == gd.score(CODES, FACTORS, metrics=CHEAP, seed=2)
    assert read_sealed(path.with_name("mine.scores.json"), ()) == found


def test_each_score_says_what_it_was_computed_by(save):
    found = evaluate_arrays(save(codes=CODES, factors=FACTORS), metrics=CHEAP)
    assert found["estimators"]["sap"] == {
        "function": "gordium.metrics.sap",
        "parameters": {"continuous": False},
        "version": gd.__version__,
        "n_samples": 90,
        "n_held_out": 30,
    }
    assert (found["n_samples"], found["n_codes"], found["n_factors"]) == (90, 2, 2)
    assert found["source"]["file"] == "mine.npz"
    assert {"gordium", "numpy", "scikit-learn"} <= set(found["versions"])


def test_the_scores_go_where_they_are_asked_for(save, tmp_path):
    path = save(codes=CODES, factors=FACTORS)
    evaluate_arrays(path, out=tmp_path / "new" / "a.json")
    assert json.loads((tmp_path / "new" / "a.json").read_text())["scores"]
    assert not path.with_name("mine.scores.json").exists()


def test_all_are_those_that_the_arrays_allow(save):
    found = evaluate_arrays(save(codes=CODES, factors=FACTORS), metrics=("all",))
    slow = {"downstream_logistic": "takes a minute or more, ask for it by name"}
    assert found["left_out"] == dict.fromkeys(OF_POSTERIORS, "needs log_variances") | slow
    assert set(found["estimators"]) == set(METRICS) - set(OF_POSTERIORS) - set(slow)
    log_variances = np.full_like(CODES, -3)
    path = save(codes=CODES, factors=FACTORS, log_variances=log_variances)
    found = evaluate_arrays(path, metrics=("all",))
    assert found["left_out"] == slow
    assert set(found["estimators"]) == set(METRICS) - set(slow)
    found = evaluate_arrays(path, metrics=("downstream_logistic", "all"))
    assert found["left_out"] == {}
    assert set(found["estimators"]) == set(METRICS)
    assert found["scores"]["downstream_logistic"] > 0


def test_a_score_of_real_factors_says_how_they_were_treated(save):
    found = evaluate_arrays(save(codes=CODES, factors=[0.5, 1] * FACTORS), metrics=("mig", "mcc"))
    by = "mutual information by 3 nearest neighbours"
    assert found["estimators"]["mig"]["real_factors"] == {"columns": [0], "by": by}


def test_one_code_or_one_factor_leaves_the_metrics_that_are_defined(save):
    found = evaluate_arrays(save(codes=CODES[:, :1], factors=FACTORS[:, :1]), metrics=("all",))
    assert found["left_out"]["mig"] == "needs at least 2 codes"
    assert found["left_out"]["dci"] == "needs at least 2 factors"
    assert {"mcc", "explicitness"} <= set(found["scores"])


@pytest.mark.parametrize("kind", [np.float32, np.uint8, np.int16])
def test_whole_numbers_of_any_type_are_labels(save, kind):
    path = save(codes=CODES, factors=FACTORS.astype(kind))
    assert evaluate_arrays(path)["scores"] == gd.score(CODES, FACTORS)


def test_booleans_are_labels_too(save):
    path = save(codes=CODES, factors=FACTORS > 1)
    assert evaluate_arrays(path)["scores"] == gd.score(CODES, (FACTORS > 1).astype(int))


@pytest.mark.parametrize(
    ("arrays", "text"),
    [
        ({"codes": CODES}, "has no array factors; it has codes. Both codes and factors"),
        ({"mus": CODES, "ys": FACTORS}, "no array codes and no array factors; it has mus, ys"),
        ({"codes": CODES[:, 0], "factors": FACTORS}, r"codes in .* got an array of shape \(90,\)"),
        ({"codes": CODES, "factors": FACTORS[:5]}, r"got \(90, 2\) and \(5, 2\)"),
        ({"codes": CODES * np.nan, "factors": FACTORS}, r"code columns \[0, 1\] hold values"),
        ({"codes": CODES, "factors": FACTORS * np.nan}, r"factor columns \[0, 1\] hold values"),
        (
            {"codes": CODES, "factors": np.full((90, 2), "a")},
            "factors must be real numbers; got <U1",
        ),
        (
            {"codes": CODES, "factors": FACTORS.astype(object)},
            "factors in .* holds Python objects, which are not loaded because that can run code",
        ),
    ],
)
def test_what_cannot_be_scored_is_named(save, arrays, text):
    path = save(**arrays)
    with pytest.raises((ValueError, TypeError), match=text):
        evaluate_arrays(path)
    assert not path.with_name("mine.scores.json").exists()


def test_a_file_cut_short_is_named(save):
    path = save(codes=CODES, factors=FACTORS)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ValueError, match=r"mine.npz is not an .npz file, or was cut short"):
        load_arrays(path)


def test_a_damaged_array_is_named(save, tmp_path):
    path = save(codes=CODES, factors=FACTORS)
    content = bytearray(path.read_bytes())
    content[300] ^= 0xFF  # within the numbers of codes
    path.write_bytes(bytes(content))
    with pytest.raises(ValueError, match=r"codes in .*mine.npz is damaged: Bad CRC-32"):
        load_arrays(path)
    with zipfile.ZipFile(tmp_path / "short.npz", "w") as file:
        file.writestr("codes.npy", b"\x93NUMPY\x01\x00")
        file.writestr("factors.npy", b"")
    with pytest.raises(ValueError, match=r"codes in .*short.npz is damaged"):
        load_arrays(tmp_path / "short.npz")


def test_a_pickle_is_not_loaded(tmp_path):
    path = tmp_path / "mine.npz"
    path.write_bytes(pickle.dumps({"codes": 1}))
    with pytest.raises(ValueError, match=r"is not an .npz file"):
        load_arrays(path)
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("codes.npy", pickle.dumps([1]))
        file.writestr("factors.npy", pickle.dumps([1]))
    with pytest.raises(ValueError, match=r"codes in .*mine.npz"):
        load_arrays(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"there is no file .*none.npz"):
        evaluate_arrays(tmp_path / "none.npz")


def test_an_unknown_metric_is_named_before_the_file_is_read(tmp_path):
    with pytest.raises(ValueError, match=r"unknown metric 'migg'. Did you mean mig"):
        evaluate_arrays(tmp_path / "none.npz", metrics=("migg",))


def test_a_small_file_that_unpacks_to_far_more_is_refused(tmp_path):
    path = tmp_path / "bomb.npz"
    np.savez_compressed(path, codes=np.zeros((2**20, 40)), factors=np.zeros((2**20, 1), np.int8))
    with pytest.raises(
        ValueError, match=r"unpack to 0.3 GB, \d+ times its size; codes and labels never do"
    ):
        evaluate_arrays(path)
