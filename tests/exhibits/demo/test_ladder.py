"""The demo's experiment on other images."""

import pytest

from gordium.exhibits.demo import find_rung, recipe


def test_rung_0_is_the_demo():
    assert find_rung("0") == recipe()


@pytest.mark.parametrize(
    ("name", "n", "units"),
    [
        ("1", 225, 3),
        ("1-turned", 225, 3),
        ("1-scale", 1200, 3),
        ("1-designed", 1200, 3),
        ("dsprites", 192, 2),
    ],
)
def test_each_rung_has_a_unit_for_each_factor(name, n, units):
    how = find_rung(name)
    assert len(how.dataset) == n
    assert [each.latent_dim for each in (how.search, how.probe, how.fresh)] == [units] * 3
    assert len(how.dataset.factors) == units


def test_a_rung_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(ValueError, match="Known: 0, 1, 1-turned, 1-scale, 1-designed, dsprites"):
        find_rung("2")
