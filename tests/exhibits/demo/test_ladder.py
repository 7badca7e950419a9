"""The rungs of the ladder: what is free on each, and which methods are trained."""

import pytest

from gordium.exhibits.demo import recipe, rung
from gordium.exhibits.demo.others import OTHERS, list_others


def test_rung_0_is_the_demo():
    assert rung("0").recipe == recipe()
    assert rung("0").methods == OTHERS


def test_rung_1_has_three_factors_and_as_many_units():
    how = rung("1").recipe
    assert [f.name for f in how.dataset.factors] == ["floor_hue", "wall_hue", "orientation"]
    assert len(how.dataset) == 1500
    assert {s.latent_dim for s in (how.search, how.probe, how.fresh)} == {3}


@pytest.mark.parametrize("name", ["0", "1"])
def test_every_method_of_a_rung_can_be_trained(name):
    found = rung(name)
    assert set(found.methods) <= {method.name for method, _ in list_others(found.recipe)}


def test_an_unknown_rung_is_named():
    with pytest.raises(ValueError, match=r"unknown rung '9'. Known: 0, 1"):
        rung("9")
