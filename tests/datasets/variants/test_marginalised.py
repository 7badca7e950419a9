"""Nuisance factors: they vary, they are found by value, and no metric is asked about them."""

import json

import numpy as np
import pytest

import gordium as gd
from gordium.datasets import Shapes3D, from_declaration
from gordium.factors import Factor
from gordium.fields import declare_fields

ROOM = Shapes3D(16).hold(wall_hue=5, object_hue=0, scale=4, shape=0)
DATA = ROOM.marginalise("orientation")


def test_it_has_the_same_images_and_values():
    assert np.array_equal(DATA.images([7, 140]), ROOM.images([7, 140]))
    assert DATA.factors_at([16]).tolist() == [[1, 1]]
    assert DATA.index_of([[1, 1]]).tolist() == [16]
    assert [factor.scored for factor in DATA.factors] == [True, False]
    assert [factor.name for factor in DATA.scored_factors] == ["floor_hue"]


def test_a_representation_has_no_column_for_it():
    rep = gd.encode(lambda images: images.mean(axis=(2, 3)), DATA, n=None)
    assert rep.factors.shape == (150, 1)
    assert np.bincount(rep.factors[:, 0]).tolist() == [15] * 10


def test_it_is_declared_and_made_again():
    again = from_declaration(json.loads(json.dumps(DATA.declaration)))
    assert again == DATA
    assert DATA.declaration["variant"] == "marginalised"


def test_what_is_scored_is_declared_without_a_word():
    assert declare_fields(Factor("x", 3)) == {"name": "x", "size": 3, "kind": "ordered"}
    assert declare_fields(Factor("x", 3, scored=False))["scored"] is False


def test_wrong_names_are_refused():
    with pytest.raises(ValueError, match="unknown factor 'orient'"):
        ROOM.marginalise("orient")
    with pytest.raises(ValueError, match="none is left to score"):
        ROOM.marginalise("floor_hue", "orientation")
