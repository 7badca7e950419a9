"""Local axes are the coordinate axes, global ones are turned."""

import numpy as np
import pytest

from gordium.datasets import ClusteredCloud


def angle_of_first_axis(points):
    first = np.linalg.eigh(np.cov(points.T))[1][:, -1]
    return np.rad2deg(np.arctan2(first[1], first[0])) % 180


def test_points_are_centre_plus_offset_within_the_rectangle():
    data = ClusteredCloud(n=500)
    points, values = data.samples
    np.testing.assert_allclose(points, values[:, :2] + values[:, 2:], atol=1e-6)
    assert (np.abs(values[:, 2:]) <= (0.4, 0.1)).all()
    assert len(np.unique(values[:, :2], axis=0)) == 9


def test_global_axes_are_turned_and_local_ones_are_not():
    data = ClusteredCloud(n=90_000)
    points, values = data.samples
    # Covariance of the lattice: 2/3 (1 + 1/4), 2/3, and 2/3 * 1/2 across; of a rectangle:
    # 0.64/12 and 0.04/12. The first axis is at half the angle whose tangent is 2 c / (a - b).
    a, b, c = 5 / 6 + 0.64 / 12, 2 / 3 + 0.04 / 12, 1 / 3
    known = np.rad2deg(np.arctan2(2 * c, a - b)) / 2
    assert known == pytest.approx(36.00, abs=0.01)
    assert angle_of_first_axis(points) == pytest.approx(known, abs=1.0)
    for centre in data.centres:
        local = points[(values[:, :2] == centre).all(axis=1)]
        folded = (angle_of_first_axis(local) + 90) % 180 - 90
        assert abs(folded) < 1.0


def test_without_shear_both_are_the_same():
    assert ClusteredCloud(side=2, shear=0.0).centres.tolist() == [
        [-0.5, -0.5],
        [0.5, -0.5],
        [-0.5, 0.5],
        [0.5, 0.5],
    ]


def test_wrong_options_are_refused():
    with pytest.raises(ValueError, match="side must be at least 1"):
        ClusteredCloud(side=0)
    with pytest.raises(ValueError, match="width must be a number above 0"):
        ClusteredCloud(width=0.0)
