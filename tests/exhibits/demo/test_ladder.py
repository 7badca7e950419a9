"""The demo's experiment on other images: its study file, rung by rung."""

import pytest

from gordium.exhibits.demo import Repetition, find_rung, seeds
from gordium.exhibits.demo.seeds import CHANGE, FRESH, NOISE, PROBE, SEARCH
from gordium.study.data import CONTROLS, EQUAL_NOISE, VARIANTS

RUNGS = (
    "0",
    "0-longer",
    "1",
    "1-turned",
    "1-scale",
    "1-designed",
    "dsprites",
    "dsprites-designed",
)


@pytest.mark.parametrize(
    ("name", "n", "units"),
    [
        ("0", 150, 2),
        ("0-longer", 150, 2),
        ("1", 225, 3),
        ("1-turned", 225, 3),
        ("1-scale", 1200, 3),
        ("1-designed", 1200, 3),
        ("dsprites", 192, 2),
        ("dsprites-designed", 192, 2),
    ],
)
def test_each_rung_has_a_unit_for_each_factor(name, n, units, tmp_path):
    this = Repetition(0, find_rung(name), tmp_path)
    dataset = this.data.dataset
    assert len(dataset) == n
    arms = (this.search.arm, this.search.probe.arm, *this.study.arms)
    assert [arm.settings_on(dataset).latent_dim for arm in arms] == [units] * 3
    assert len(dataset.factors) == units


@pytest.mark.parametrize("rung", RUNGS)
@pytest.mark.parametrize("number", [0, 7])
def test_all_seeds_follow_from_the_number_of_the_repetition(rung, number, tmp_path):
    this = Repetition(number, find_rung(rung), tmp_path)
    assert this.study.seeds == seeds(number, FRESH, 5)
    assert this.search.seeds == seeds(number, SEARCH, 40)
    assert this.search.probe.seeds == seeds(number, PROBE, 2)
    starts = this.search.starts
    assert tuple(how.seed for how in starts) == seeds(number, CHANGE, len(starts))
    assert (this.data.noise_seed,) == seeds(number, NOISE, 1)


@pytest.mark.parametrize("rung", RUNGS)
def test_every_rung_has_all_controls_that_its_change_can_have(rung, tmp_path):
    this = Repetition(0, find_rung(rung), tmp_path)
    controls = CONTROLS[:-1] if rung.endswith("designed") else CONTROLS
    assert this.data.variants == (*VARIANTS, EQUAL_NOISE, *controls)
    without = Repetition(0, find_rung(rung), tmp_path, controls=False)
    assert without.data.variants == (*VARIANTS, EQUAL_NOISE)
    assert without.study.name == this.study.name


def test_no_two_repetitions_and_no_two_phases_share_a_seed():
    drawn = [s for k in range(30) for phase in range(5) for s in seeds(k, phase, 1000)]
    assert len(set(drawn)) == len(drawn)
    with pytest.raises(ValueError, match="a repetition is a number from 0 on; got -1"):
        seeds(-1, 0, 1)


def test_each_change_has_a_seed_and_a_start_of_its_own(tmp_path):
    starts = Repetition(0, find_rung("0"), tmp_path).search.starts
    assert [each.wave for each in starts] == [1.0, 1.0, 0.6, 0.6]
    assert len({each.seed for each in starts}) == 4
    # Of two starts of one size, the signs differ: they are the seed's bits.
    assert {(each.wave, each.seed % 2) for each in starts} == {
        (wave, sign) for wave in (1.0, 0.6) for sign in (0, 1)
    }


def test_a_rung_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(
        ValueError,
        match="Known: 0, 0-longer, 1, 1-turned, 1-scale, 1-designed, 2-designed, 3-designed, "
        "dsprites, dsprites-designed",
    ):
        find_rung("2")
