"""Three Student-t sources mixed into a plane."""

import json

import numpy as np
import pytest
from scipy import stats

import gordium as gd
from gordium.datasets import StudentTMixture, from_declaration

EVERY = np.arange(5000)


def test_points_are_the_sources_along_the_angles_and_normal_noise():
    data = StudentTMixture(n=5000, angles=(0, 90, 45), noise=0.2)
    sources = data.factors_at(EVERY)
    first, second, third = sources.T
    # By hand: the third source moves both coordinates by 1 / sqrt(2).
    clean = np.stack([first, second], axis=1) + third[:, None] / np.sqrt(2)
    noise = (data.images(EVERY)[:, :, 0, 0] - clean) / 0.2
    assert stats.kstest(noise.ravel(), stats.norm.cdf).pvalue > 0.01
    assert stats.kstest(sources.ravel(), stats.t(3.5).cdf).pvalue > 0.01
    assert abs(stats.spearmanr(sources).statistic - np.eye(3)).max() < 0.05


def test_declared_again_from_json():
    data = gd.load_dataset("student-t-mixture", n=20, angles=(5.0, 50.0, 100.0), seed=3)
    again = from_declaration(json.loads(json.dumps(data.declaration)))
    assert again == data
    np.testing.assert_array_equal(again.images([3, 1]), data.images([3, 1]))
    assert data.image_shape == (2, 1, 1)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"n": 0}, "n must be at least 1"),
        ({"df": 0}, "df must be a number above 0"),
        ({"noise": float("inf")}, "noise must be a number above 0"),
        ({"angles": (0.0, 90.0)}, "three numbers"),
    ],
)
def test_bad_fields_are_named(fields, text):
    with pytest.raises(ValueError, match=text):
        StudentTMixture(**fields)
