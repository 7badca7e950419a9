import json

import numpy as np
import pytest

from gordium.datasets import FromArrays, Noisy, Shapes3D

BASE = Shapes3D(16)


def test_held_factors_leave_the_grid_and_keep_their_value():
    held = BASE.hold(floor_hue=3, shape=1)
    names = ["wall_hue", "object_hue", "scale", "orientation"]
    assert [factor.name for factor in held.factors] == names
    assert len(held) == 10 * 10 * 8 * 15
    index = held.index_of([[2, 4, 6, 14]])
    same = BASE.index_of([[3, 2, 4, 6, 1, 14]])
    assert np.array_equal(held.images(index), BASE.images(same))


def test_holding_twice_is_holding_both():
    twice = BASE.hold(shape=2).hold(scale=1)
    once = BASE.hold(shape=2, scale=1)
    assert twice.factors == once.factors
    assert np.array_equal(twice.images(range(99)), once.images(range(99)))


def test_wrong_names_and_values_are_named():
    with pytest.raises(ValueError, match=r"unknown factor 'floor_hues'. Did you mean floor_hue"):
        BASE.hold(floor_hues=1)
    with pytest.raises(ValueError, match="shape must be held at 0 to 3; got 4"):
        BASE.hold(shape=4)
    with pytest.raises(ValueError, match="every factor is held"):
        BASE.hold(floor_hue=0, wall_hue=0, object_hue=0, scale=0, shape=0, orientation=0)


def test_numbers_of_numpy_can_be_held_and_declared():
    held = BASE.hold(shape=np.int64(2))
    assert json.loads(json.dumps(held.declaration))["values"] == {"shape": 2}
    with pytest.raises(TypeError, match="a whole number from 0 to 3, or at one of its labels"):
        BASE.hold(shape=1.5)


def test_a_wrapped_data_set_is_held_in_the_order_of_its_images():
    values = np.stack(np.unravel_index(np.arange(12), (3, 4)), axis=1)[::-1]
    images = np.arange(12, dtype=np.uint8)[:, None, None] + np.zeros((12, 16, 16), np.uint8)
    data = FromArrays(images, values, names=("a", "b"))
    for held in (data.hold(a=0), Noisy(data, 0.0).hold(a=0), data.marginalise("a").hold(a=0)):
        assert held.is_grid
        assert held.images(range(4))[:, 0, 0, 0].tolist() == [8, 9, 10, 11]
        assert held.factors_at(range(4)).tolist() == [[3], [2], [1], [0]]
