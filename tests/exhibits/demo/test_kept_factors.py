"""Classifiers name the factors that an image holds, and no others."""

import numpy as np
import pytest

from gordium.datasets import FromArrays, Noisy, load_dataset
from gordium.exhibits.demo.kept_factors import accuracy_rows, factor_accuracies


def cube_on_any_floor(size):
    return load_dataset("shapes3d", size=size).hold(wall_hue=5, object_hue=0, scale=4, shape=0)


def test_both_factors_of_the_demo_can_be_named_on_unseen_images():
    found = factor_accuracies(cube_on_any_floor(16))
    assert list(found) == ["floor_hue", "orientation"]
    assert min(found.values()) > 0.9


def test_a_factor_that_the_images_do_not_show_is_guessed():
    # 120 images: the first factor is the brightness, the second is in nothing that can be seen.
    factors = np.stack(np.meshgrid(np.arange(4), np.arange(3), np.arange(10)), -1).reshape(-1, 3)
    brightness = (40 + 50 * factors[:, 0]).astype(np.uint8)
    images = np.broadcast_to(brightness[:, None, None, None], (120, 1, 4, 4)).copy()
    found = factor_accuracies(FromArrays(images, factors[:, :2]))
    first, second = found.values()
    assert first == 1.0
    # Three values, and 5 x 40 guesses: three standard errors around a third.
    assert second == pytest.approx(1 / 3, abs=0.15)


def test_every_arm_has_a_row_for_each_factor():
    base = cube_on_any_floor(16)
    rows = accuracy_rows({"original": base, "noise": Noisy(base, 0.175)}, seed=3)
    assert [(row.variant, row.metric) for row in rows] == [
        ("original", "accuracy of floor_hue"),
        ("original", "accuracy of orientation"),
        ("noise", "accuracy of floor_hue"),
        ("noise", "accuracy of orientation"),
    ]
    assert {(row.dataset, row.seed, row.n_images) for row in rows} == {("shapes3d", 3, 150)}
