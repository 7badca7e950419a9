"""Summaries over seeds: arithmetic by hand, and intervals that cover what they should."""

import numpy as np
import pandas as pd
import pytest

from gordium.report.frame import check_frame, frame_of, keep
from gordium.report.rows import Row
from gordium.report.statistics.seeds import seed_summary


def test_mean_deviation_and_provenance_by_hand(tidy):
    frame = pd.concat([tidy([0.5, 0.7], method="a", run=["x", "y"]), tidy([0.1], method="b")])
    first, second = seed_summary(frame).itertuples()
    assert (first.method, first.n, first.n_runs) == ("a", 2, 2)
    assert first.mean == pytest.approx(0.6)
    assert first.std == pytest.approx(0.2 / 2**0.5)
    assert (first.runs, first.seeds, first.versions) == (("x", "y"), (0, 1), ("0.1.0",))
    # One value has a mean, but no spread and no interval.
    assert (second.mean, second.n) == (0.1, 1)
    assert np.isnan([second.std, second.low, second.high]).all()


def test_bad_runs_count_but_stay_unless_discarded(tidy):
    frame = tidy([0.1, 0.3, 0.8, np.nan], over_pruned=[False, False, True, False])
    frame["failed"] = [False, False, False, True]
    line = seed_summary(frame).iloc[0]
    assert line["mean"] == pytest.approx(0.4)
    assert line[["n", "n_runs", "n_failed", "n_over_pruned"]].tolist() == [3, 4, 1, 1]
    assert line[["n_discarded", "n_missing"]].tolist() == [0, 1]
    line = seed_summary(frame, discard=["over_pruned", "failed"]).iloc[0]
    assert line["mean"] == pytest.approx(0.2)
    assert line[["n", "n_runs", "n_failed", "n_over_pruned"]].tolist() == [2, 4, 1, 1]
    assert line[["n_discarded", "n_missing"]].tolist() == [2, 0]


def test_a_group_that_is_wholly_discarded_stays_visible(tidy):
    frame = pd.concat([tidy([0.5], strength=1.0), tidy([0.9], strength=8.0, over_pruned=True)])
    found = seed_summary(frame, discard=["over_pruned"])
    assert found["n"].tolist() == [1, 0]
    assert np.isnan(found["mean"].iloc[1])
    assert found["runs"].iloc[1] == ()


def test_the_interval_of_a_group_is_students(tidy):
    found = seed_summary(tidy([1.0, 2.0, 3.0]))
    # Mean 2, deviation 1, t(0.975, 2) = 4.3027: 2 -+ 4.3027 / sqrt(3).
    assert found["low"].item() == pytest.approx(2 - 2.484138, abs=1e-5)
    assert found["high"].item() == pytest.approx(2 + 2.484138, abs=1e-5)


def test_wrong_arguments_are_named(tidy):
    frame = tidy([1.0])
    with pytest.raises(ValueError, match="lacks the columns seed, run"):
        seed_summary(frame.drop(columns=["seed", "run"]))
    with pytest.raises(ValueError, match=r"discard takes failed and over_pruned; got pruned\."):
        keep(frame, ["pruned"])
    with pytest.raises(ValueError, match="run run00000 has more than one value of mig"):
        keep(pd.concat([frame, frame]))
    with pytest.raises(TypeError, match="column failed must be true or false; got int64"):
        keep(frame.assign(failed=0))


def test_runs_are_counted_once_whatever_their_metrics(tidy):
    runs = {"run": ["a", "b"], "over_pruned": [True, False]}
    kept = keep(
        pd.concat([tidy([1, 2], **runs), tidy([3, 4], metric="dci", **runs)]), "over_pruned"
    )
    assert str(kept) == "2 runs, 0 failed, 1 over-pruned; 1 discarded"
    assert kept.frame["value"].tolist() == [2, 4]


def test_rows_become_a_frame_with_flags_and_missing_numbers():
    first = Row("shapes3d", "original", "vae", None, 0, "mig", 0.5, active_units=6, run="a")
    frame = frame_of([first, first._replace(active_units=5, over_pruned=True, run="b")])
    check_frame(frame)
    assert frame["active_units"].tolist() == [6, 5]
    assert frame["over_pruned"].tolist() == [False, True]
    assert frame["strength"].isna().all()
