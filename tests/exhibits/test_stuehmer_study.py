"""Figures 5 and 8-16 of Stühmer et al. 2020 from rows and codes that are known."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from gordium.exhibits import (
    stuehmer_figure5,
    stuehmer_figure6,
    stuehmer_figure7,
    stuehmer_stand_ins,
    stuehmer_units,
)
from gordium.exhibits.base import Place
from gordium.exhibits.stuehmer_tradeoff import better_tradeoff
from gordium.representation import Representation


def as_published(dataset, variant, method, strength, seed):
    """The structured prior has a higher MIG throughout, and a beta costs reconstruction."""
    bonus = 0.3 if method.startswith("isa") else 0.0
    return {
        "mig": 0.1 + bonus + 0.02 * strength + 0.01 * (seed % 3),
        "reconstruction": 50 + 2 * strength - 20 * bonus,
    }


def verdicts(made):
    return {effect.statement: effect.seen for effect in made.effects}


def test_the_published_tradeoff_is_seen(pretended):
    made = stuehmer_figure5.made(pretended("stuehmer2020", as_published, seeds=5))
    assert set(verdicts(made).values()) == {True}
    line = next(line for line in made.table if line[1:3] == ("isa-vae", "1"))
    # Standard error of 0, 1, 2, 0, 1 hundredths: sqrt(0.7) / sqrt(5) hundredths.
    assert line[3] == "0.428 ± 0.004"
    assert line[4] == "-46.0 ± 0.0"
    assert set(made.pictures) == {"dsprites.png", "dsprites-beta1.png"}


def test_without_an_advantage_of_the_prior_none_is_seen(pretended):
    def value(*label):
        return as_published(label[0], label[1], "beta-vae", *label[3:])

    seen = verdicts(stuehmer_figure5.made(pretended("stuehmer2020", value, seeds=5)))
    assert not seen["dsprites: at beta = 1 the MIG of isa-vae is higher than that of beta-vae"]
    assert not seen["dsprites: isa-vae has a better trade-off than beta-vae"]
    assert seen["dsprites: beta-vae pays for a higher MIG with reconstruction as beta grows"]


@pytest.mark.parametrize(
    ("own", "seen"),
    [
        ([(0.3, -30.0), (0.4, -90.0)], True),  # its first beta is above, though not its best MIG
        ([(0.1, -30.0), (0.4, -90.0)], False),  # a higher MIG, dearly bought
        ([(0.19, -10.0), (0.1, -20.0)], False),  # better images alone
    ],
)
def test_a_better_tradeoff_beats_the_best_of_the_other(own, seen):
    curves = {"isa-vae": own, "beta-vae": [(0.1, -30.0), (0.2, -40.0)]}
    lines = [
        {"dataset": "d", "method": method, "strength": beta, "y": mig, "x": reconstruction}
        for method, curve in curves.items()
        for beta, (mig, reconstruction) in enumerate(curve, start=1)
    ]
    effect = better_tradeoff(pd.DataFrame(lines), "d", "isa-vae", "beta-vae")
    assert effect.seen is seen
    assert "beta-vae: MIG 0.200 at beta 2, reconstruction -40.0" in effect.evidence


def test_the_typical_run_is_the_nearest_of_the_upper_half():
    table = pd.DataFrame(
        {"mig": [0.0, 0.1, 0.8, 0.9, 1.0], "reconstruction": [1.0, 1.0, 5.0, 6.0, 7.0]},
        index=["a", "b", "c", "d", "e"],
    )
    # The upper half is c, d, e, and d is its mean.
    assert stuehmer_units.representative(table) == "d"


def test_shares_of_variance_of_units_made_by_hand():
    grid = np.stack([g.ravel() for g in np.meshgrid(range(4), range(5), indexing="ij")], axis=1)
    first, second = grid.T.astype(float)
    codes = np.stack([first, second**2, first + second], axis=1)
    shares = stuehmer_units.explained(Representation(codes, np.zeros_like(codes), grid))
    np.testing.assert_allclose(shares[:2], [[1, 0], [0, 1]], atol=1e-12)
    # Variances of 0..3 and of 0..4 are 5/4 and 2.
    np.testing.assert_allclose(shares[2], [1.25 / 3.25, 2 / 3.25])


def test_units_that_respond_to_one_factor_and_units_that_do_not():
    def seen(**row):
        common = {"dataset": "a", "method": "b", "active": True, "share_position": 0.0}
        [effect] = stuehmer_units.effects([{**common, **row}])
        return effect.seen

    assert seen(share_scale=0.9, clear=0.9)
    assert not seen(share_scale=0.4, clear=0.4)
    assert not seen(share_x=0.9, clear=1.0)  # where only position is free, any unit would do


def test_both_exhibits_at_their_smallest_share_one_study(tmp_path: Path, few_arms, monkeypatch):
    few_arms("beta-vae", "isa-vae")
    there = stuehmer_figure5.DATASETS
    monkeypatch.setattr(stuehmer_figure5, "DATASETS", {})  # faces have a test of their own
    for module in (stuehmer_figure5, stuehmer_units):
        made = module.make(Place("smoke", tmp_path, 1))
        assert made.notes[0].endswith("2 of 2 runs are finished.")
        assert made.effects
        assert made.rows
        assert all(len(line) == len(made.head) for line in made.table)
        assert all(picture.startswith(b"\x89PNG") for picture in made.pictures.values())
    monkeypatch.setattr(stuehmer_figure5, "DATASETS", there)
    half = stuehmer_figure5.make(Place("smoke", tmp_path, finished=True))
    assert half.notes[0] == "Faces: no finished run here."
    assert {row["dataset"] for row in half.rows} == {"dsprites"}
    with pytest.raises(ValueError, match="no run of stuehmer2020-smoke is finished"):
        stuehmer_units.make(Place("smoke", tmp_path / "new", finished=True))


@pytest.mark.parametrize("module", [stuehmer_figure6, stuehmer_figure7])
def test_cars_and_faces_at_their_smallest(module, tmp_path: Path):
    made = module.make(Place("smoke", tmp_path, 1))
    assert made.effects
    assert made.rows
    assert all(len(line) == len(made.head) for line in made.table)
    assert all(picture.startswith(b"\x89PNG") for picture in made.pictures.values())


def test_an_advantage_that_shrinks_is_seen():
    places = pd.DataFrame(
        {
            "strength": [1.0, 1.0, 4.0, 4.0],
            "method": ["isa-vae", "beta-vae"] * 2,
            "y": [0.5, 0.2, 0.4, 0.3],
        }
    )
    assert stuehmer_figure6.shrinks(places, "cars").seen
    places["y"] = [0.3, 0.2, 0.6, 0.3]
    assert not stuehmer_figure6.shrinks(places, "cars").seen
    assert not stuehmer_figure6.shrinks(places[:2], "cars").seen


def test_exponents_as_published_are_seen_and_others_are_not():
    as_in_the_paper = np.array([[1.95, 1.98, 2.18], [1.94, 1.99, 2.2]])
    assert [effect.seen for effect in stuehmer_figure7.effects(as_in_the_paper)] == [True] * 3
    for everywhere in (2.1, 2.0):  # the factorised prior, and no learning at all
        same = np.full((2, 3), everywhere)
        assert [effect.seen for effect in stuehmer_figure7.effects(same)] == [False] * 3


def test_a_stand_in_that_is_not_built_says_so(monkeypatch):
    monkeypatch.setattr(stuehmer_stand_ins, "DATASETS", {})
    with pytest.raises(ValueError, match="needs the data set cars3d-like"):
        stuehmer_stand_ins.stand_in("cars3d-like", "laptop")
