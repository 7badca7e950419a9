"""Sub-grids in which a factor takes some of its values only."""

import json

import numpy as np
import pytest

from gordium.datasets import DSprites, FromArrays, Noisy, Shapes3D, from_declaration

BASE = Shapes3D(16).hold(wall_hue=5, object_hue=0, scale=4)


def test_the_kept_values_are_those_of_the_base():
    some = BASE.narrow(orientation=[3, 7, 1])
    assert [(f.name, f.size) for f in some.factors] == [
        ("floor_hue", 10), ("shape", 4), ("orientation", 3)
    ]  # fmt: skip
    found = some.images(some.index_of([[2, 1, 0], [2, 1, 2]]))
    assert np.array_equal(found, BASE.images(BASE.index_of([[2, 1, 3], [2, 1, 1]])))


def test_a_circle_with_a_gap_is_a_line():
    assert BASE.narrow(floor_hue=range(5)).factors[0].kind == "ordered"
    assert BASE.narrow(floor_hue=range(10)).factors[0].kind == BASE.factors[0].kind


def test_several_factors_are_narrowed_at_once_and_declared():
    some = DSprites(16).narrow(y=range(12, 20), x=range(0, 32, 2))
    assert len(some) == 3 * 6 * 40 * 16 * 8
    again = from_declaration(json.loads(json.dumps(some.declaration)))
    assert again == some
    assert np.array_equal(again.images([0, 999]), some.images([0, 999]))


@pytest.mark.parametrize(
    ("values", "what"),
    [([1], "at least two values"), ([1, 1], "each once"), ([8, 99], "values 0 to 14")],
)
def test_wrong_values_are_named(values, what):
    with pytest.raises(ValueError, match=what):
        BASE.narrow(orientation=values)


def test_an_unknown_factor_is_named():
    with pytest.raises(ValueError, match="unknown factor 'colour'"):
        BASE.narrow(colour=[0, 1])


def test_every_grid_can_be_narrowed_and_nothing_else():
    values = np.stack(np.unravel_index(np.arange(12), (3, 4)), axis=1)[::-1]  # the last comes first
    images = np.arange(12, dtype=np.uint8)[:, None, None] + np.zeros((12, 16, 16), np.uint8)
    own = FromArrays(images, values, names=("a", "b"))
    some = own.narrow(b=[3, 0])
    assert some.images(some.index_of([[1, 0], [1, 1]]))[:, 0, 0, 0].tolist() == [4, 7]
    noisy = Noisy(BASE, 0.1)
    assert np.array_equal(noisy.narrow(shape=[2, 3]).images([0]), noisy.images([2 * 15]))
    with pytest.raises(ValueError, match="left out of a grid; this data set is not one"):
        FromArrays(images[:11], values[:11]).narrow(factor_1=[0, 1])
