"""The exhibit at its smallest, and its angles for codes that are known."""

import numpy as np
import pytest

from gordium.datasets import ClusteredCloud
from gordium.exhibits.base import Place
from gordium.exhibits.zietlow2021.figure1 import Codes, make, match, off_axes, unit_directions


def test_smoke(tmp_path, judged):
    made = make(Place("smoke", tmp_path, workers=1))
    names = [row["codes"] for row in made.rows]
    assert names == ["nonlinear VAE, seed 100", "linear VAE, seed 100", "PCA"]
    assert made.rows[2]["to_global"] == pytest.approx(0.0, abs=1e-3)
    assert made.pictures["figure1.png"].startswith(b"\x89PNG")
    outcomes = judged("zietlow2021-figure1", made)
    assert set(outcomes.values()) == {"inconclusive"}  # one seed


def test_directions_of_codes_that_are_a_turned_and_scaled_plane():
    points, factors = ClusteredCloud(n=2000).samples
    turn = np.deg2rad(20)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    code = Codes("turned", points @ axes.T * (3.0, -0.5), factors)
    for centre in ClusteredCloud().centres:
        found = off_axes(unit_directions(code, centre), 0.0)
        np.testing.assert_allclose(found, 20, atol=1e-3)
        np.testing.assert_allclose(off_axes(unit_directions(code, centre), 20.0), 0, atol=1e-3)


def test_off_axes_is_periodic():
    degrees = np.array([0.0, 44.0, 46.0, 90.0, -170.0])
    np.testing.assert_allclose(off_axes(degrees, 0.0), [0, 44, 44, 0, 10])
    np.testing.assert_allclose(off_axes(degrees, 10.0), [10, 34, 36, 10, 0])


def test_units_are_matched_by_order_and_sign():
    points, factors = ClusteredCloud(n=500).samples
    swapped = Codes("a", np.column_stack([-points[:, 1], points[:, 0]]), factors)
    found = match(swapped, Codes("b", points.astype(float), factors))
    np.testing.assert_allclose(found.values, points)
