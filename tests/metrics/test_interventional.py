"""BetaVAE and FactorVAE scores against known cases and the seeds of the original implementation."""

import numpy as np
import pytest

from gordium.metrics._interventions import POINTS, Table
from gordium.metrics.beta_vae_score import beta_vae_score
from gordium.metrics.factor_vae_score import factor_vae_score

RNG = np.random.default_rng(0)
FACTORS = RNG.integers((3, 4, 5), size=(3000, 3))
CODES = FACTORS / FACTORS.std(axis=0)
NOISE = RNG.standard_normal((3000, 3))
DEAD = np.full((3000, 1), 0.1)
BOTH = [beta_vae_score, factor_vae_score]


def test_partners_are_other_rows_with_the_value_of_the_factor_held():
    for pair in Table(FACTORS).pairs(np.random.default_rng(0), 2 * POINTS + 1, 8):
        held = pair.held[:, None]
        assert np.array_equal(FACTORS[pair.rows, held], FACTORS[pair.partners, held])
        assert not np.any(pair.rows == pair.partners)


def test_partners_are_each_other_row_of_the_value_equally_often():
    factors = np.array([[0], [1], [0], [0], [1]])
    (pair,) = Table(factors).pairs(np.random.default_rng(0), 1000, 30)
    counts = np.zeros((5, 5))
    np.add.at(counts, (pair.rows, pair.partners), 1)
    expected = np.zeros((5, 5))
    expected[[0, 0, 2, 2, 3, 3], [2, 3, 0, 3, 0, 2]] = 3000  # a fifth of 30,000, in halves
    expected[[1, 4], [4, 1]] = 6000
    assert np.abs(counts - expected).max() < 6 * np.sqrt(6000)
    assert np.array_equal(counts > 0, expected > 0)


def test_groups_hold_one_value_and_reach_all_its_rows():
    seen = set()
    points = 0
    for group in Table(FACTORS).groups(np.random.default_rng(0), POINTS + 5, 64):
        values = FACTORS[group.partners, group.held[:, None]]
        assert np.array_equal(values, np.broadcast_to(values[:, :1], values.shape))
        seen |= set(group.partners.ravel().tolist())
        points += len(group.held)
    assert points == POINTS + 5
    assert len(seen) == len(FACTORS)


def test_the_rows_of_a_group_are_distinct_while_there_are_enough():
    factors = np.repeat([0, 1], [64, 20])[:, None]
    for group in Table(factors).groups(np.random.default_rng(0), 200, 64):
        for rows, value in zip(group.partners, factors[group.rows[:, 0], 0], strict=True):
            assert len(np.unique(rows)) == (20 if value else 64)


def test_a_value_with_one_row_is_paired_with_itself():
    factors = np.array([[0], [1], [1]])
    for pair in Table(factors).pairs(np.random.default_rng(0), 50, 8):
        assert np.array_equal(pair.partners[pair.rows == 0], pair.rows[pair.rows == 0])


@pytest.mark.parametrize("metric", BOTH)
def test_the_factors_themselves_score_one_in_any_order_and_sign(metric):
    for codes in (CODES, -CODES[:, ::-1], np.hstack([CODES, DEAD]), np.hstack([CODES, CODES])):
        assert metric(codes, FACTORS)[:2] == (1.0, 1.0)


@pytest.mark.parametrize("metric", BOTH)
def test_noise_scores_chance(metric):
    # One third, with a standard deviation of 0.007 from 5,000 points alone.
    assert metric(NOISE, FACTORS).score == pytest.approx(1 / 3, abs=0.04)


@pytest.mark.parametrize("metric", BOTH)
def test_the_seed_decides_the_draws(metric):
    codes = CODES + 2 * NOISE
    assert metric(codes, FACTORS, seed=1) == metric(codes, FACTORS, seed=1)
    assert metric(codes, FACTORS, seed=1) != metric(codes, FACTORS, seed=2)


def test_a_missing_factor_lowers_the_factor_vae_score_alone():
    # With the last factor gone, a third of the votes go to a code of another factor.
    found = factor_vae_score(CODES[:, :2], FACTORS)
    assert found.score == pytest.approx(2 / 3, abs=0.03)
    # The BetaVAE score sees the missing factor in that no feature shrinks.
    assert beta_vae_score(CODES[:, :2], FACTORS).score > 0.99


def test_factor_vae_is_scale_free_above_its_threshold():
    assert factor_vae_score(CODES * [0.1, 1, 100], FACTORS) == factor_vae_score(CODES, FACTORS)
    assert factor_vae_score(0.04 * CODES, FACTORS) == (0.0, 0.0, 0)
    assert factor_vae_score(0.04 * CODES, FACTORS, threshold=0.0).score == 1.0


def test_a_dead_code_never_votes_even_without_a_threshold():
    found = factor_vae_score(np.hstack([DEAD, CODES]), FACTORS, threshold=0.0)
    assert found == (1.0, 1.0, 3)
    assert factor_vae_score(DEAD, FACTORS, threshold=0.0) == (0.0, 0.0, 0)


def test_beta_vae_is_not_scale_free():
    assert beta_vae_score(1e-4 * CODES, FACTORS).score < 0.6


@pytest.mark.parametrize("metric", BOTH)
def test_values_that_only_the_test_rows_hold_are_drawn_there(metric):
    assert metric(CODES, FACTORS, test=(CODES + 1, FACTORS + 1)).score > 0.99


@pytest.mark.parametrize(
    ("metric", "name"), [(beta_vae_score, "beta_vae"), (factor_vae_score, "factor_vae")]
)
def test_the_score_is_among_the_seeds_of_the_original(metric, name, cases):
    for case in cases:
        codes, factors = map(
            np.concatenate, zip((case.codes, case.factors), case.test, strict=True)
        )
        seeds = case.golden[name]["per_seed"]["eval_accuracy"]
        spread = np.std(seeds, ddof=1)
        drawn = [metric(codes, factors, seed=seed).score for seed in (0, 1)]
        off = abs(np.mean(drawn) - np.mean(seeds))
        assert off <= (2 * spread if spread else 1e-3), case.name


@pytest.mark.parametrize("metric", BOTH)
def test_without_rows_to_test_all_rows_are_drawn_from(metric):
    codes = CODES + 2 * NOISE
    assert metric(codes, FACTORS) == metric(codes, FACTORS, test=(codes, FACTORS))


@pytest.mark.parametrize(
    ("metric", "factors", "batch", "text"),
    [
        (beta_vae_score, FACTORS, 0, "batch must be at least 1; got 0"),
        (factor_vae_score, FACTORS, 1, "batch must be at least 2; got 1"),
        (beta_vae_score, FACTORS[:, :1], 64, "at least 2 factors are needed; got 1"),
        (factor_vae_score, FACTORS[:9], 64, r"got \(3000, 3\) and \(9, 3\)"),
        (beta_vae_score, FACTORS * [1, 1, 0], 64, r"factor columns \[2\] take one value"),
    ],
)
def test_bad_arguments_are_named(metric, factors, batch, text):
    with pytest.raises(ValueError, match=text):
        metric(CODES, factors, batch=batch)
