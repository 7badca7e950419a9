"""Trade-offs and line searches, by hand."""

import numpy as np
import pandas as pd
import pytest

from gordium.report.statistics.sweeps import line_search, tradeoff


def test_points_of_a_trade_off_by_hand(tidy):
    frame = pd.concat(
        [
            tidy([-10, -14, -11], metric="reconstruction", strength=4.0, run=["a", "b", "c"]),
            tidy([0.2, 0.6], metric="mig", strength=4.0, run=["a", "b"]),
            tidy([-5], metric="reconstruction", strength=1.0, run=["d"]),
            tidy([0.1], metric="mig", strength=1.0, run=["d"]),
        ]
    )
    first, second = tradeoff(frame).itertuples()
    assert (first.strength, first.x, first.y, first.n) == (1, -5, 0.1, 1)
    assert np.isnan([first.x_error, first.y_error]).all()
    # Run c has no MIG. Two values 4 apart: deviation 4 / sqrt 2, over sqrt 2 is 2.
    assert (second.strength, second.n) == (4, 2)
    assert (second.x, second.x_error) == pytest.approx((-12, 2))
    assert (second.y, second.y_error) == pytest.approx((0.4, 0.2))


def test_a_trade_off_names_what_is_missing(tidy):
    with pytest.raises(ValueError, match="no finite values of reconstruction in these rows"):
        tradeoff(tidy([0.5]))


def test_a_line_search_discards_over_pruned_runs_in_sight(tidy):
    frame = pd.concat(
        [
            tidy([0.6, 0.4], strength=32.0),
            tidy([0.3, 0.9], strength=64.0, over_pruned=[False, True]),
            tidy([0.9], strength=128.0, over_pruned=True),
            tidy([0.1], strength=16.0, variant="modified"),
        ]
    )
    found = line_search(frame, "mig", {"beta-vae": {"shapes3d": 32.0}})
    assert found["variant"].tolist() == ["modified", "original", "original", "original"]
    assert found["factor"].tolist() == [0.5, 1, 2, 4]
    assert found["mean"].tolist()[:3] == pytest.approx([0.1, 0.5, 0.3])
    assert found["n"].tolist() == [1, 2, 1, 0]
    assert found["n_discarded"].tolist() == [0, 0, 1, 1]


def test_a_line_search_needs_a_default(tidy):
    frame = tidy([0.6], strength=32.0)
    with pytest.raises(ValueError, match="no value for beta-vae on shapes3d; give one"):
        line_search(frame, "mig", {"beta-vae": {"dsprites": 8.0}})
    with pytest.raises(ValueError, match="no rows of sap with a strength"):
        line_search(frame, "sap", {})
