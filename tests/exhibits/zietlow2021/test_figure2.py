"""The exhibit at its smallest; Jacobians against differences, axes against their formula."""

import numpy as np
import pytest

from gordium.exhibits.base import Place
from gordium.exhibits.zietlow2021.figure2 import Sheet, local_axes, make, square, traversal


def test_smoke(tmp_path):
    made = make(Place("smoke", tmp_path))
    assert [row["sheet"] for row in made.rows] == ["bent", "perturbed"]
    assert made.rows[0]["local_turn"] == pytest.approx(0, abs=1e-4)
    assert made.pictures["figure2.png"].startswith(b"\x89PNG")
    assert len(made.pictures["figure2.png"]) < 200_000


def test_jacobians_are_difference_quotients():
    sheet, w, step = Sheet(height=0.05), square(4, 0.9), 1e-6
    columns = [
        (sheet.points(w + step * e) - sheet.points(w - step * e)) / (2 * step) for e in np.eye(2)
    ]
    np.testing.assert_allclose(sheet.jacobians(w), np.stack(columns, axis=2), atol=1e-6)


def test_a_point_moves_by_the_height_at_most():
    w = square(50, 1.0)
    moves = np.linalg.norm(Sheet(height=0.05).points(w) - Sheet().points(w), axis=1)
    assert 0.049 < moves.max() <= 0.05


def test_axes_at_the_centre():
    # Bent: the first factor, by symmetry. Rippled: the metric is diag(1.44, 1) and, over whole
    # waves, height^2 waves^2 / 4 in each entry; its axis is at half the angle of the tangent.
    np.testing.assert_allclose(np.abs(local_axes(Sheet(), np.zeros(2))[0]), [1, 0], atol=1e-10)
    first = local_axes(Sheet(height=0.05, waves=300.0), np.zeros(2))[0]
    push = (0.05 * 300) ** 2 / 4
    known = np.arctan2(2 * push, 0.44) / 2
    assert np.arctan2(*np.abs(first[::-1])) == pytest.approx(known, abs=0.02)


def test_a_traversal_runs_through_its_start_to_the_edge():
    line = traversal(Sheet(), np.array([0.0, 0.0]), 0)
    assert line[0, 0] == pytest.approx(-1, abs=0.02)
    assert line[-1, 0] == pytest.approx(1, abs=0.02)
    np.testing.assert_allclose(line[:, 1], 0, atol=1e-6)
