"""Closing numbers of a run's folder, by hand."""

import json

import numpy as np
import pytest

from gordium.evaluation.run_scores import closing_numbers, kl_to_standard_normal


def write(folder, codes, log_variances, history):
    np.savez(folder / "representation.npz", codes=codes, log_variances=log_variances)
    lines = "".join(json.dumps({"step": i, **row}) + "\n" for i, row in enumerate(history))
    (folder / "history.jsonl").write_text(lines)


def test_the_kl_of_one_unit_by_hand():
    # Mean 1, variance 1: 1/2 each. Mean 0, variance e: (e - 2) / 2.
    assert kl_to_standard_normal(np.ones((4, 2)), np.zeros((4, 2))) == pytest.approx(1.0)
    assert kl_to_standard_normal(np.zeros((1, 1)), np.ones((1, 1))) == pytest.approx((np.e - 2) / 2)


def test_numbers_are_those_of_the_last_tenth(tmp_path):
    rng = np.random.default_rng(0)
    both = rng.normal(size=(5000, 1)) @ np.ones((1, 2))
    history = [{"reconstruction": 100.0 if i < 18 else 7.0} for i in range(20)]
    write(tmp_path, both, np.full((5000, 2), np.log(1e-8)), history)
    found = closing_numbers(tmp_path)
    assert found["reconstruction"] == 7.0
    assert found["elbo"] == pytest.approx(-7.0 - found["kl"])
    # Without noise the two units are one; noise of the same variance leaves a correlation of
    # one half, and -1/2 log(3/4) nats.
    assert found["total_correlation"] > 5
    write(tmp_path, both, np.zeros((5000, 2)), history)
    half = -0.5 * np.log(0.75)
    assert closing_numbers(tmp_path)["total_correlation"] == pytest.approx(half, abs=0.02)


def test_what_is_not_there_is_left_out(tmp_path):
    assert closing_numbers(tmp_path) == {}
    write(tmp_path, np.ones((4, 2)), np.zeros((4, 2)), [{"contrast": 1.0}])
    assert set(closing_numbers(tmp_path)) == {"kl", "total_correlation"}
    assert closing_numbers(tmp_path, stochastic=False) == {}
