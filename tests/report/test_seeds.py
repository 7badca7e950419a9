"""Summaries over seeds: arithmetic by hand, and intervals that cover what they should."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from gordium.report import Row, frame_of, keep, mean_intervals, seed_summary


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


@pytest.mark.parametrize("n", [5, 10, 40])
def test_percentile_intervals_are_short_as_theory_says_and_expanded_ones_cover(n):
    """Of normal values the resampled means have variance s^2 (n-1)/n^2, so that the percentile
    interval is t = (mean - mu) / (s / sqrt n) within 1.96 sqrt((n-1)/n): Student's t says how
    often. That is 0.838, 0.904 and 0.940; the expanded one is made to give 0.95.
    """
    values = np.random.default_rng(n).normal(size=(4000, n))
    expected = 1 - 2 * stats.t.sf(1.96 * np.sqrt((n - 1) / n), n - 1)
    margin = 3.3 * np.sqrt(0.1 * 0.9 / 4000)  # of a frequency; resampled tails of 5 are heavier
    for kind, share in (("percentile", expected), ("expanded", 0.95)):
        low, high = mean_intervals(values, kind=kind).T
        covered = np.mean((low <= 0) & (high >= 0))
        if (kind, n) == ("expanded", 5):
            assert expected < covered <= 0.95  # five values allow no wider mean than their range
        else:
            assert covered == pytest.approx(share, abs=margin)


def test_corrected_intervals_follow_the_skew():
    """BCa at n = 50 against SciPy's own, on skewed values; both resample, so up to chance."""
    values = np.random.default_rng(0).exponential(size=50)
    ours = mean_intervals(values, kind="bca", resamples=20_000)[0]
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(1)
    ).confidence_interval
    assert ours == pytest.approx(theirs, abs=0.015)
    plain = mean_intervals(values, kind="percentile", resamples=20_000)[0]
    assert (ours > plain + 0.015).all()


def test_an_interval_depends_on_its_own_values_only():
    values = np.random.default_rng(0).normal(size=(600, 7))
    together = mean_intervals(values)
    alone = np.concatenate([mean_intervals(row) for row in values[:5]])
    assert together[:5] == pytest.approx(alone, abs=1e-12)
    assert mean_intervals([[0.3, 0.3, 0.3]]) == pytest.approx(np.array([[0.3, 0.3]]))


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
    with pytest.raises(ValueError, match="level must lie between 0 and 1; got 95"):
        mean_intervals([1.0, 2.0], level=95)


def test_runs_are_counted_once_whatever_their_metrics(tidy):
    runs = {"run": ["a", "b"], "over_pruned": [True, False]}
    kept = keep(
        pd.concat([tidy([1, 2], **runs), tidy([3, 4], metric="dci", **runs)]), "over_pruned"
    )
    assert str(kept) == "2 runs, 0 failed, 1 over-pruned; 1 discarded"
    assert kept.frame["value"].tolist() == [2, 4]


def test_rows_become_a_frame_with_their_active_units():
    rows = [
        Row("original", 0, metric, value, "shapes3d", "vae", run, 120, "0.1.0")
        for run, units in (("a", 6), ("b", 5))
        for metric, value in (("mig", 0.5), ("active_units", units))
    ]
    frame = frame_of(rows, n_factors={"shapes3d": 6})
    assert frame["active_units"].tolist() == [6, 6, 5, 5]
    assert frame["over_pruned"].tolist() == [False, False, True, True]
    assert not frame_of(rows)["over_pruned"].any()
