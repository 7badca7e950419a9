"""Pairs against their distributions, counted out on small grids."""

import time
from collections import Counter
from itertools import combinations, product
from math import exp, log

import numpy as np
import pytest
from scipy.stats import chisquare

from gordium.factors import Factor
from gordium.pairs import LAP, UNI, FullSharing, laplace_tables

GRID = (Factor("x", 3), Factor("shape", 2, "nominal"), Factor("angle", 4, "circular"))
SHAPES3D = (
    *(Factor(name, 10, "circular") for name in ("floor_hue", "wall_hue", "object_hue")),
    Factor("scale", 8),
    Factor("shape", 4, "nominal"),
    Factor("orientation", 15),
)
N = 200_000


def draw(pairing, factors=GRID, n=N, seed=0):
    return pairing.draw(factors, n, np.random.default_rng(seed))


def cells(factors):
    return list(product(*(range(factor.size) for factor in factors)))


def assert_follows(pairs, chances):
    """Chi-square test of the pairs' counts against chances of (first, second)."""
    counts = Counter(
        (tuple(a), tuple(b))
        for a, b in zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
    )
    assert set(counts) <= {pair for pair, p in chances.items() if p > 0}
    assert sum(chances.values()) == pytest.approx(1)
    keys = [pair for pair, p in chances.items() if p > 0]
    expected = [len(pairs.first) * chances[key] for key in keys]
    assert chisquare([counts[key] for key in keys], expected).pvalue > 0.01


def laplace(size, start, end, rate):
    weights = [exp(-abs(start - j) * rate / log(size)) for j in range(size)]
    return weights[end] / sum(weights)


@pytest.mark.parametrize("rate", [1.0, 4.0])
def test_laplace_pairs_have_the_distribution_that_enumeration_gives(rate):
    def step(a, b):
        if a == b or a[1] != b[1]:
            return 0.0
        moves = laplace(3, a[0], b[0], rate) * laplace(4, a[2], b[2], rate)
        stays = laplace(3, a[0], a[0], rate) * laplace(4, a[2], a[2], rate)
        forced = 0.0
        for i, size in ((0, 3), (2, 4)):
            if all(a[j] == b[j] for j in range(3) if j != i):
                leaves = 1 - laplace(size, a[i], a[i], rate)
                forced += 0.5 * laplace(size, a[i], b[i], rate) / leaves
        return moves + stays * forced

    chances = {(a, b): step(a, b) / len(cells(GRID)) for a in cells(GRID) for b in cells(GRID)}
    assert_follows(draw(LAP(rate)), chances)


def test_laplace_tables_hold_the_chances_by_hand():
    free, moves = laplace_tables((Factor("x", 3), Factor("kind", 3, "nominal")), 2.0)
    q = exp(-2 / log(3))  # of a step by one, relative to none
    total = 1 + q + q**2
    low, high = np.array([1, 1 + q, total]) / total, np.array([q**2, q**2 + q, total]) / total
    middle = np.array([q, q + 1, 2 * q + 1]) / (1 + 2 * q)
    assert free.tolist() == [0]
    np.testing.assert_allclose(moves[0, 0], [low, middle, high])
    np.testing.assert_allclose(moves[1, 0, 0], [0, 1 / (1 + q), 1])
    np.testing.assert_allclose(moves[1, 0, 1], [0.5, 0.5, 1])
    for table in moves[:, 1]:  # a nominal factor keeps its value
        np.testing.assert_array_equal(table, [[1, 1, 1], [0, 1, 1], [0, 0, 1]])


def test_laplace_pairs_stay_in_range_hold_nominal_factors_and_always_change():
    pairs = draw(LAP(5.0), SHAPES3D)
    assert (pairs.second >= 0).all()
    assert (pairs.second < [factor.size for factor in SHAPES3D]).all()
    assert (pairs.first[:, 4] == pairs.second[:, 4]).all()
    assert (pairs.first != pairs.second).any(axis=1).all()
    np.testing.assert_array_equal(pairs.shared, pairs.first == pairs.second)


@pytest.mark.parametrize("k", [None, 1, 2, 3])
def test_uniform_pairs_have_the_distribution_that_enumeration_gives(k):
    # Given the number of changes, each set of factors and each set of new values is as likely.
    numbers = (1, 2) if k is None else (k,)
    chances = Counter()
    for a, b in product(cells(GRID), repeat=2):
        changed = [i for i in range(3) if a[i] != b[i]]
        if len(changed) in numbers:
            sets = len(list(combinations(range(3), len(changed))))
            values = np.prod([GRID[i].size - 1 for i in changed])
            chances[a, b] = 1 / (len(cells(GRID)) * len(numbers) * sets * values)
    assert_follows(draw(UNI(k)), chances)


def test_uniform_pairs_change_one_to_all_but_one_factor():
    pairs = draw(UNI(), SHAPES3D)
    changes = np.bincount((~pairs.shared).sum(axis=1), minlength=7)
    assert changes[0] == changes[6] == 0
    assert chisquare(changes[1:6]).pvalue > 0.01
    assert ((draw(UNI(2), SHAPES3D).shared).sum(axis=1) == 4).all()


def test_full_sharing_shares_one_factor_and_redraws_the_others():
    chances = Counter()
    for a, b, i in product(cells(GRID), cells(GRID), range(3)):
        if a[i] == b[i]:
            chances[a, b] += GRID[i].size / (3 * len(cells(GRID)) ** 2)
    pairs = draw(FullSharing())
    assert_follows(pairs, chances)
    assert (pairs.shared.sum(axis=1) == 1).all()
    assert (pairs.first == pairs.second)[pairs.shared].all()
    assert chisquare(pairs.shared.sum(axis=0)).pvalue > 0.01


@pytest.mark.parametrize("pairing", [LAP(), UNI(), FullSharing()], ids=str)
def test_first_views_are_uniform_and_a_seed_decides_all(pairing):
    pairs, again = draw(pairing), draw(pairing)
    counts = Counter(map(tuple, pairs.first.tolist()))
    assert len(counts) == len(cells(GRID))
    assert chisquare(list(counts.values())).pvalue > 0.01
    assert all((a == b).all() for a, b in zip(pairs, again, strict=True))


@pytest.mark.parametrize("pairing", [LAP(), UNI(), FullSharing()], ids=str)
def test_32_pairs_take_well_under_a_millisecond(pairing):
    rng = np.random.default_rng(0)
    pairing.draw(SHAPES3D, 32, rng)
    seconds = []
    for _ in range(50):
        start = time.perf_counter()
        pairing.draw(SHAPES3D, 32, rng)
        seconds.append(time.perf_counter() - start)
    assert min(seconds) < 0.5e-3


def test_factors_of_one_value_never_change():
    factors = (Factor("x", 3), Factor("held", 1), Factor("y", 3))
    for pairing in (LAP(), UNI(), UNI(2)):
        assert draw(pairing, factors, 1000).shared[:, 1].all()


def test_errors_say_what_to_do():
    with pytest.raises(ValueError, match="rate must be a number above 0; got 0"):
        LAP(0)
    with pytest.raises(ValueError, match="k must be at least 1; got 0"):
        UNI(0)
    with pytest.raises(ValueError, match=r"UNI changes 3 of the factors .* there are 2"):
        draw(UNI(3), GRID[:2], 5)
    with pytest.raises(ValueError, match=r"UNI changes 1 to all but one .* there are 1"):
        draw(UNI(), GRID[:1], 5)
    with pytest.raises(ValueError, match="choose UNI pairs"):
        draw(LAP(), GRID[1:2], 5)
