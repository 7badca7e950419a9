"""The binned booster against steps worked out by hand, plain sums and scikit-learn's trees."""

import numpy as np
import pytest
from numba import njit
from sklearn.ensemble import GradientBoostingClassifier

from gordium.metrics._binned import align, boost_binned
from gordium.metrics._binned_kernels import (
    CHUNK,
    COUNT_BITS,
    _sum_rows,
    bin_ranks,
    find_borders,
    list_members,
    score_binned,
)
from gordium.metrics._boosting import boost, cut_points, to_ranks
from gordium.metrics._lanes import N_LANES, store, transpose

RNG = np.random.default_rng(0)


def ranked(*columns):
    codes = np.stack(columns, axis=1).astype(float)
    return to_ranks(codes, cut_points(codes))


def scores_of(booster, ranks):
    bins = np.take_along_axis(booster.bin_of, ranks, axis=1)
    return score_binned(bins, booster.code, booster.cut, booster.value, booster.start)


def test_the_first_newton_step_of_two_classes():
    labels = np.repeat([0, 1], 10)
    booster = boost_binned(ranked(labels), labels, seed=0, rounds=1)
    # r = +-1/2, so r / (|r| (1 - |r|)) = +-2, times the rate 0.1; the first class has no tree.
    scores = scores_of(booster, ranked(labels))
    assert scores[0].tolist() == [0] * 20
    assert scores[1] == pytest.approx(np.repeat([-0.2, 0.2], 10), abs=1e-5)
    assert booster.predict(ranked(labels)).tolist() == labels.tolist()


def test_the_first_newton_step_of_three_classes():
    labels = np.repeat([0, 1, 2], 10)
    booster = boost_binned(ranked(labels, np.zeros(30)), labels, seed=0, rounds=1)
    # Inside r = 2/3 gives 2/3 (2/3) / (2/9) = 2; outside r = -1/3 gives -1; times 0.1.
    steps = scores_of(booster, ranked(labels, np.zeros(30))) - np.log(1 / 3)
    assert steps == pytest.approx(np.where(np.eye(3)[labels].T == 1, 0.2, -0.1), abs=1e-5)


@pytest.mark.parametrize("rounds", [1, 3])
@pytest.mark.parametrize("n_classes", [2, 5, 19])
def test_trees_on_few_values_are_those_of_scikit_learn(rounds, n_classes):
    rng = np.random.default_rng(n_classes)
    codes = rng.integers(12, size=(800, 3))
    labels = (codes @ [5, 3, 1] + rng.integers(9, size=800)) * n_classes // 109
    found = scores_of(
        boost_binned(ranked(*codes.T), labels, seed=0, rounds=rounds), ranked(*codes.T)
    )
    model = GradientBoostingClassifier(n_estimators=rounds, random_state=0).fit(codes, labels)
    expected = model.decision_function(codes)
    if n_classes == 2:
        assert found[1] == pytest.approx(expected, abs=1e-4)
    else:
        found = found.T - found.T.mean(axis=1, keepdims=True)  # the same for all classes: no matter
        apart = np.abs(found - (expected - expected.mean(axis=1, keepdims=True)))
        assert np.median(apart) < 1e-4
        assert np.mean(apart > 1e-3) < 0.02  # where splits are equally good


def test_accuracy_is_that_of_exact_trees():
    labels = RNG.integers(20, size=3000)
    codes = np.stack([labels, labels % 5], axis=1) + 0.4 * RNG.standard_normal((3000, 2))
    cuts = cut_points(codes[:2000])
    ranks, tested = to_ranks(codes[:2000], cuts), to_ranks(codes[2000:], cuts)
    found, exact = (f(ranks, labels[:2000], seed=0).predict(tested) for f in (boost_binned, boost))
    right = np.mean(found == labels[2000:]), np.mean(exact == labels[2000:])
    assert right[0] == pytest.approx(right[1], abs=0.02)


def test_sums_of_a_bin_are_plain_sums_however_many_rows_it_has():
    bins = np.concatenate([np.repeat([0, 1, 2], [1, 5, 4 * CHUNK + 3]), RNG.integers(3, 256, 500)])
    bins = RNG.permutation(bins).astype(np.uint8)[None]
    whole = RNG.integers(-(2**19), 2**19, size=(bins.shape[1], N_LANES))
    packed = align((len(whole) + 1, N_LANES), np.int32)
    packed[:-1] = (whole << COUNT_BITS) + 1
    packed[:-1, 3] = 0  # rows that a class has elsewhere
    rows, ends = list_members(bins)
    sums, counts = (np.zeros((256, N_LANES), np.int32) for _ in range(2))

    @njit
    def add_up(packed, rows, ends, sums, counts):
        start = 0
        for b in range(256):
            total, count = _sum_rows(packed, rows, start, ends[b])
            store(sums, b, total)
            store(counts, b, count)
            start = ends[b]

    add_up(packed, rows[0], ends[0], sums, counts)
    whole[:, 3] = 0
    plain = np.array([whole[bins[0] == b].sum(axis=0) for b in range(256)])
    assert np.array_equal(sums, plain)
    sizes = np.bincount(bins[0], minlength=256)
    assert np.array_equal(counts[:, 0], sizes)
    assert not counts[:, 3].any()


def test_transposed_bytes():
    columns = RNG.integers(256, size=(N_LANES, 3 * N_LANES)).astype(np.uint8)
    rows = np.zeros((3 * N_LANES, N_LANES), np.uint8)
    njit(lambda a, b: transpose(a, N_LANES, b))(columns, rows)
    assert np.array_equal(rows[N_LANES : 2 * N_LANES], columns.T[N_LANES : 2 * N_LANES])
    assert not rows[:N_LANES].any()


def test_neighbours_of_one_class_share_a_bin():
    labels = np.array([0, 0, 0, 1, 1, 0, 2])
    ranks = ranked(np.arange(7))
    assert bin_ranks(ranks, labels, 256)[0].tolist() == [0, 0, 0, 1, 1, 2, 3]
    # A tree of class 2 is not cut between bins that hold none of it.
    borders = find_borders(bin_ranks(ranks, labels, 256)[:, ranks[0]], labels, 1)
    assert borders[0, :4, :3].T.tolist() == [[1, 1, 1, 0], [1, 1, 0, 0], [0, 0, 1, 0]]


def test_many_values_are_cut_at_quantiles_that_a_change_of_sign_keeps():
    codes, labels = RNG.standard_normal(1000), RNG.integers(2, size=1000)
    bins, mirrored = (
        bin_ranks(ranked(z), labels, 64)[0][ranked(z)[0]].astype(int) for z in (codes, -codes)
    )
    assert np.bincount(bins).min() >= 8  # of 1000 / 64, less what pure runs move
    assert np.array_equal(mirrored, bins.max() - bins)


def test_the_same_seed_gives_the_same_bits_and_the_order_of_rows_the_same_classes():
    codes = RNG.standard_normal((500, 4))
    labels = (codes[:, 0] > 0) + 2 * (codes[:, 1] + 0.5 * RNG.standard_normal(500) > 0)
    ranks, order = ranked(*codes.T), RNG.permutation(500)
    once, again = (boost_binned(ranks, labels, seed=3) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(once, again, strict=True))
    shuffled = boost_binned(ranks[:, order], labels[order], seed=3)
    assert np.array_equal(shuffled.cut, once.cut)
    assert np.array_equal(shuffled.predict(ranks), once.predict(ranks))


def test_codes_that_split_equally_well_take_turns():
    labels = np.repeat(np.arange(4), 50)
    booster = boost_binned(ranked(labels, labels, np.zeros(200)), labels, seed=0)
    cut = booster.cut[:, 0, :4] < 255
    share = np.mean(booster.code[:, 0, :4][cut])
    assert 0.35 < share < 0.65
    assert set(booster.code[:, 0, :4][cut]) == {0, 1}


def test_dead_codes_give_the_most_frequent_class():
    labels = np.array([0, 1, 1, 2, 1])
    assert (
        boost_binned(ranked(np.zeros(5)), labels, seed=0).predict(ranked(np.zeros(5))).tolist()
        == [1] * 5
    )
