"""Splits, combinations held out and correlated samples: which images, and found again."""

import json

import numpy as np
import pytest

import gordium as gd
from gordium.datasets import (
    Correlated,
    FromArrays,
    Noisy,
    Split,
    SyntheticLinear,
    from_declaration,
    hold_out,
    in_memory,
    split,
)
from gordium.datasets.variants.correlated import correlation, joint_chances
from gordium.networks import Linear


def declared_again(data):
    again = from_declaration(json.loads(json.dumps(data.declaration)))
    assert again.declaration == data.declaration
    some = np.arange(min(20, len(data)))
    assert np.array_equal(again.images(some), data.images(some))
    return again


def test_three_parts_hold_every_image_once(room):
    parts = split(room, seed=3)
    assert [len(part) for part in parts] == [96, 12, 12]
    rows = np.concatenate([part.rows for part in parts])
    assert np.array_equal(np.sort(rows), np.arange(120))
    for part in parts:
        assert np.array_equal(part.factors_at([0, 5]), room.factors_at(part.rows[[0, 5]]))
        assert np.array_equal(part.images([5, 0]), room.images(part.rows[[5, 0]]))
        assert not part.is_grid
        declared_again(part)
    assert not np.array_equal(split(room, seed=4)[0].rows, parts[0].rows)
    assert np.array_equal(split(room, seed=3)[0].rows, parts[0].rows)


def test_shares_and_parts_are_checked(room):
    assert [len(part) for part in split(room, shares=(0.5, 0.25, 0.25))] == [60, 30, 30]
    with pytest.raises(ValueError, match="shares must be three numbers that add up to 1"):
        split(room, shares=(0.5, 0.5, 0.5))
    with pytest.raises(ValueError, match="part must be one of train, validation, test"):
        Split(room, "dev")
    with pytest.raises(ValueError, match="no image is left for validation: 120 are too few"):
        split(room, shares=(1.0, 0.0, 0.0))


def test_combinations_are_held_out_and_nothing_else(room):
    rest, unseen = hold_out(room, scale=[1, 2], orientation=range(5))
    assert (len(rest), len(unseen)) == (110, 10)
    values = unseen.factors_at(np.arange(10))
    assert set(map(tuple, values.tolist())) == {(s, o) for s in (1, 2) for o in range(5)}
    kept = rest.factors_at(np.arange(110))
    assert not (np.isin(kept[:, 0], (1, 2)) & (kept[:, 1] < 5)).any()
    assert rest.factors == room.factors
    assert rest.index_of([[0, 4]]).tolist() == [4]
    with pytest.raises(ValueError, match="no image has scale 1, orientation 4"):
        rest.index_of([[1, 4]])
    for data in (rest, unseen):
        declared_again(data)
    with pytest.raises(ValueError, match=r"scale must have values in 0 to 7; got \(8,\)"):
        hold_out(room, scale=[8])
    with pytest.raises(ValueError, match="unknown factor 'scala'"):
        hold_out(room, scala=[1])
    with pytest.raises(ValueError, match="holds out no image, or all of them"):
        hold_out(room, scale=range(8))


@pytest.mark.parametrize("wanted", [0.9, 0.5, 0.0, -0.7])
@pytest.mark.parametrize("sizes", [(8, 15), (2, 2), (10, 10)])
def test_chances_have_the_correlation_that_is_wanted(sizes, wanted):
    chances = joint_chances(*sizes, wanted)
    assert chances.sum() == pytest.approx(1)
    # Weighted with its chances, the list of all pairs has this coefficient.
    pairs = np.stack(np.unravel_index(np.arange(chances.size), sizes))
    found = np.cov(pairs, aweights=chances.ravel(), ddof=0)
    coefficient = found[0, 1] / np.sqrt(found[0, 0] * found[1, 1])
    assert coefficient == pytest.approx(wanted, abs=1e-5)
    assert correlation(chances) == pytest.approx(coefficient, abs=1e-12)


def test_two_bits_of_correlation_one_half_agree_three_times_in_four():
    # For fair bits the coefficient is 2 P(agree) - 1.
    np.testing.assert_allclose(
        joint_chances(2, 2, 0.5), [[0.375, 0.125], [0.125, 0.375]], atol=1e-9
    )


def test_a_sample_is_correlated_and_found_again(room):
    data = Correlated(room, "scale", "orientation", 0.8, n=20_000)
    values = data.factors_at(np.arange(20_000))
    assert np.corrcoef(values.T)[0, 1] == pytest.approx(0.8, abs=0.01)
    assert len(data) == 20_000
    assert np.array_equal(data.images([7]), room.images(room.index_of(values[[7]])))
    declared_again(data)
    assert not data.is_grid


def test_other_factors_stay_uniform_and_independent():
    values = np.stack(np.unravel_index(np.arange(60), (3, 4, 5)), axis=1)
    base = FromArrays(np.zeros((60, 16, 16), np.uint8), values, names=("a", "b", "c"))
    drawn = Correlated(base, "a", "c", -0.6, n=30_000, seed=1)
    found = np.corrcoef(drawn.factors_at(np.arange(30_000)).T)
    assert found[0, 2] == pytest.approx(-0.6, abs=0.02)
    assert abs(found[1, [0, 2]]).max() < 0.03
    counts = np.bincount(drawn.factors_at(np.arange(30_000))[:, 1])
    assert np.abs(counts - 7500).max() < 5 * np.sqrt(7500 * 0.75)


def test_samples_that_cannot_be_drawn_are_refused(room):
    with pytest.raises(ValueError, match=r"correlation must lie in -.* for factors of 8 and 15"):
        Correlated(room, "scale", "orientation", 1.5)
    with pytest.raises(ValueError, match="unknown factor 'hue'"):
        Correlated(room, "scale", "hue", 0.5)
    with pytest.raises(ValueError, match="must be two factors; both are 'scale'"):
        Correlated(room, "scale", "scale", 0.5)
    with pytest.raises(ValueError, match="n must be at least 1; got 0"):
        Correlated(room, "scale", "orientation", 0.5, n=0)
    with pytest.raises(ValueError, match="drawn from a grid; this data set is not one"):
        Correlated(SyntheticLinear(n=9), "stretched", "unit", 0.5)


def test_parts_are_wrapped_kept_in_memory_and_trained_on(room):
    train, _, test = split(room)
    noisy = in_memory(Noisy(train, 0.1))
    assert len(noisy) == 96
    assert np.array_equal(noisy.factors_at([3]), train.factors_at([3]))
    assert np.array_equal(noisy.images([3]), Noisy(train, 0.1).images([3]))
    held = train.hold(scale=2)
    assert [factor.name for factor in held.factors] == ["orientation"]
    assert (room.factors_at(train.rows[held.rows])[:, 0] == 2).all()
    declared_again(held)
    options = {"steps": 2, "latent_dim": 2, "architecture": Linear()}
    run = gd.train(gd.methods.BetaVAE(), train, **options)
    assert gd.encode(run.model, test, n=None).factors.shape == (12, 2)
    tables = split(SyntheticLinear(n=50))
    assert [len(part) for part in tables] == [40, 5, 5]
    assert tables[0].images([0]).dtype == np.float32
