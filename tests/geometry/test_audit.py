"""The audit of constructed data sets: principal components that are known beforehand."""

import numpy as np
import pytest

from gordium.datasets import InMemory, Modified, Noisy, SyntheticLinear, in_memory
from gordium.factors import Factor
from gordium.geometry import (
    alignment_score,
    angles,
    audit,
    chance_distance,
    factor_distances,
    local_pca,
    matched_angles,
    neighbour_jacobians,
    posterior_radius,
)
from gordium.geometry.alignment import preference, rotations
from gordium.geometry.audit import noise_energy
from gordium.geometry.examples import examples

TWO = (Factor("a", 5), Factor("b", 5))
WIDE = 6400  # pixels: noise of different images is nearly orthogonal


def wide(*directions):
    """Directions of whole grey levels, repeated over many pixels."""
    return np.repeat(np.array(directions), WIDE // len(directions[0]), axis=1)


def test_orthogonal_columns_of_different_length_give_one(linear):
    found = audit(linear(TWO, [[6, 0], [0, 2]]))
    assert found.score == pytest.approx(1, abs=1e-6)
    assert found.interval == pytest.approx((1, 1), abs=1e-6)
    assert found.n_places == len(found.distances) == 9
    np.testing.assert_allclose(found.deviations, np.sqrt(2) * np.array([6, 2]) / 255, rtol=1e-5)


@pytest.mark.parametrize("scale", [1, 3])
def test_columns_turned_by_45_degrees_give_zero(linear, scale):
    # J = diag(6, 2) times a turn by 45 degrees: columns (3, 1) and (3, -1), up to a factor.
    found = audit(linear(TWO, [[3 * scale, scale], [3 * scale, -scale]]))
    assert found.score == 0
    assert found.pairs[0].angle == pytest.approx(45)
    assert found.pairs[0].overlap == pytest.approx(0.8)  # (9 - 1) / (9 + 1)


def test_a_known_turn_gives_a_known_score(linear):
    # The principal directions of columns (4, 2) and (1, 3): G = [[20, 10], [10, 10]],
    # tan(2 t) = 20 / 10, and |V - P| = 2 sqrt(2) sin(t / 2) over its mean for t in 0 to 45.
    found = audit(linear(TWO, [[4, 2], [1, 3]]))
    turn = 0.5 * np.arctan(2)
    chance = 2 * np.sqrt(2) * 2 * (1 - np.cos(np.pi / 8)) / (np.pi / 4)
    assert chance_distance(2) == pytest.approx(chance, rel=0.01)
    assert found.distances == pytest.approx(2 * np.sqrt(2) * np.sin(turn / 2))
    assert found.score == pytest.approx(max(0, 1 - found.distances[0] / chance_distance(2)))
    assert found.pairs[0].angle == pytest.approx(np.degrees(turn))


def test_equal_variances_count_as_chance_though_the_columns_are_orthogonal(linear):
    factors = (Factor("a", 17), Factor("b", 17))
    found = audit(linear(factors, [[3, 0], [0, 3]]))
    assert found.score < 0.2
    assert found.distances.mean() == pytest.approx(found.chance, rel=0.15)
    assert found.pairs[0].tied == 1
    assert found.gain == pytest.approx(0, abs=1e-6)


def test_only_the_tied_factors_count_as_chance(linear):
    rng = np.random.default_rng(0)
    grams = np.tile(np.diag([9.0, 4.0, 4.0, 1.0]), (4000, 1, 1))
    assert factor_distances(grams, rng).mean() == pytest.approx(chance_distance(2), rel=0.03)


def left_by_noise(epsilon):
    """The score of 8 and 3 levels a step on half the pixels each, 12 values, under noise.

    The product of two noisy columns has mean 0 and a variance of |s|^2 v + |t|^2 v + n v^2, with
    v the variance of a column's noise in a pixel; it turns the components by product / gap, and
    a small turn t is a distance of sqrt(2) t.
    """
    deviation = np.std(range(12))
    s, t = (WIDE / 2 * (levels / 255 * deviation) ** 2 for levels in (8, 3))
    v = 2 * (deviation / 2) ** 2 * epsilon**2 / 3
    product = np.sqrt((s + t) * v + WIDE * v**2) * np.sqrt(2 / np.pi)  # its mean size
    return 1 - np.sqrt(2) * product / (s - t) / chance_distance(2)


def test_noise_leaves_the_score(linear):
    clean = linear((Factor("a", 12), Factor("b", 12)), wide([8, 0], [0, 3]))
    noisy = Noisy(clean, 0.04)
    found = audit(noisy)
    # Uniform noise in [-e, e] has variance e^2 / 3 a pixel.
    assert found.noise == pytest.approx(WIDE * (0.04**2 / 3), rel=0.05)
    assert audit(clean).score == pytest.approx(1, abs=1e-6)
    assert found.score == pytest.approx(left_by_noise(0.04), abs=0.015)
    assert left_by_noise(0.04) > 0.96
    np.testing.assert_allclose(found.deviations, audit(clean).deviations, rtol=0.03)


def test_noise_does_not_hide_a_turn(linear):
    turned = linear((Factor("a", 12), Factor("b", 12)), wide([6, 2], [6, -2]))
    assert audit(Noisy(turned, 0.04)).score < 0.1


def test_known_noise_is_that_of_the_noisy_set_alone(linear):
    clean = linear(TWO, wide([8, 0], [0, 3]))
    indices = np.arange(25)
    assert noise_energy(clean, indices) == 0
    noisy = Noisy(clean, 0.1)
    held = noise_energy(in_memory(noisy), indices)
    assert isinstance(in_memory(noisy), InMemory)
    assert held == noise_energy(noisy, indices) > 0


def test_a_circle_is_looked_at_across_its_end(made):
    # The brightness of pixel 0 and 1 go round; that of pixel 2 grows with b.
    angle = 2 * np.pi * np.arange(12) / 12

    def pixels(values):
        a, b = values.T
        return 100 + np.stack([50 * np.cos(angle[a]), 50 * np.sin(angle[a]), 5 * b], axis=1)

    whole = audit(made((Factor("a", 12, "circular"), Factor("b", 5)), pixels))
    cut = audit(made((Factor("a", 12), Factor("b", 5)), pixels))
    assert whole.n_places == 12 * 3
    assert cut.n_places == 10 * 3
    assert whole.score == pytest.approx(1, abs=1e-3)
    # Without rounding all slopes would be 50 sin(30 degrees) a step.
    assert whole.deviations[0] == pytest.approx(25 * np.std(range(12)) / 255, rel=0.02)


def test_nominal_pairs_that_go_along_with_an_ordered_factor_lower_the_score(made):
    factors = (Factor("kind", 3, "nominal"), Factor("b", 5))
    apart = np.array([[0, 0, 0], [0, 60, 0], [0, 0, 60]])
    along = np.array([[0, 0, 0], [60, 0, 0], [0, 60, 0]])

    def pixels(shown):
        return lambda values: 50 + shown[values[:, 0]] + values[:, 1:] * np.array([[9, 0, 0]])

    assert audit(made(factors, pixels(apart))).score == pytest.approx(1, abs=1e-3)
    found = audit(made(factors, pixels(along)))
    # The pairs (0, 1) and (1, 2) go along with b fully and by 1 / sqrt 2; (0, 2) does not.
    assert found.pairs[0].overlap == pytest.approx((1 + np.sqrt(0.5)) / 3, abs=1e-3)
    assert found.score < 0.8


def test_longer_steps_see_a_slower_structure(made):
    # A wave of a + b whose period is four steps: ends two steps apart differ, ends four do not.
    def pixels(values):
        a, b = values.T
        wave = 30 * np.sin(np.pi / 2 * (a + b) + np.pi / 4)
        return 100 + np.stack([12 * a, 4 * b, wave], axis=1)

    data = made((Factor("a", 9), Factor("b", 9)), pixels)
    assert audit(data).score < 0.2
    assert audit(data, steps=(2, 2)).score == pytest.approx(1, abs=0.01)


def test_a_sample_of_points_is_drawn_by_its_seed(linear):
    data = linear((Factor("a", 30), Factor("b", 30)), [[4, 1], [1, 2]])
    first, again = audit(data, n=50, seed=3), audit(data, n=50, seed=3)
    assert (first.score, first.interval, first.n_places) == (again.score, again.interval, 28**2)
    assert len(first.distances) == 50


def test_a_table_without_a_grid_is_seen_through_its_neighbours():
    found = audit(SyntheticLinear(n=2000), n=50)
    assert found.score == pytest.approx(1, abs=1e-3)
    # Sides 2 and 1, uniform: deviations 2 / sqrt 12 and 1 / sqrt 12.
    np.testing.assert_allclose(found.deviations, np.array([2, 1]) / np.sqrt(12), rtol=0.05)
    assert audit(SyntheticLinear(n=2000, ratio=1.0), n=500).score < 0.2


def test_neighbours_find_the_slope_of_a_plane_exactly():
    rng = np.random.default_rng(0)
    w = rng.normal(size=(300, 2)) * [1, 5] + 3
    slope = rng.normal(size=(2, 4))
    found = neighbour_jacobians(w @ slope, w, np.array([0, 7]))
    np.testing.assert_allclose(found, np.tile((slope.T * w.std(axis=0)), (2, 1, 1)), rtol=1e-9)


def test_what_cannot_be_audited_is_said(linear):
    with pytest.raises(ValueError, match="an audit compares factors; this data set has only a"):
        audit(linear(TWO[:1], [[1, 2]]))
    with pytest.raises(ValueError, match="n, the number of points, must be at least 2; got 1"):
        audit(linear(TWO, [[1, 0], [0, 2]]), n=1)
    with pytest.raises(ValueError, match="synthetic-linear has no grid"):
        audit(SyntheticLinear(n=100), steps=(1, 1))
    with pytest.raises(ValueError, match="steps must be one for each of 2 factors"):
        audit(linear(TWO, [[1, 0], [0, 2]]), steps=(1,))


def test_local_pca_is_the_singular_value_decomposition():
    rng = np.random.default_rng(0)
    j = rng.normal(size=(3, 7, 2))
    found = local_pca(j)
    for matrix, variances, turn, directions in zip(j, *found, strict=True):
        u, s, vt = np.linalg.svd(matrix, full_matrices=False)
        np.testing.assert_allclose(variances, s**2)
        np.testing.assert_allclose(np.abs(turn), np.abs(vt.T), atol=1e-12)
        np.testing.assert_allclose(np.abs(directions), np.abs(u), atol=1e-12)


def test_local_pca_of_a_factor_that_changes_nothing_has_no_direction():
    found = local_pca([[[1.0, 0.0], [2.0, 0.0]]])
    np.testing.assert_allclose(found.directions[0, :, 1], 0)
    np.testing.assert_allclose(found.variances, [[5, 0]])


def test_angles_know_no_sign():
    a = np.array([[[1.0], [0.0]]])
    b = np.array([[[-2.0, 0.0, 1.0, 0.0], [0.0, 3.0, 1.0, 0.0]]])
    np.testing.assert_allclose(angles(a, b)[0, 0], [0, 90, 45, np.nan], atol=1e-6)


def test_random_axes_score_zero_and_lose_all_that_is_to_be_gained():
    rng = np.random.default_rng(0)
    q = rotations(4000, 3, rng)
    grams = (q * np.array([1.0, 4.0, 9.0])) @ q.swapaxes(1, 2)
    distances = factor_distances(grams, rng)
    assert alignment_score(distances, 3) < 0.03
    gain, lost = preference(grams, rng)
    assert lost == pytest.approx(gain, rel=0.05)


def test_preference_of_two_axes_by_quadrature():
    grams = np.array([[[9.0, 0.0], [0.0, 1.0]]])
    turn = (np.arange(10_000) + 0.5) * np.pi / 10_000
    along = 9 * np.cos(turn) ** 2 + np.sin(turn) ** 2
    # Both axes of a random turn have the same distribution.
    expected = np.log(along).mean() - np.log(9) / 2
    found = np.mean([preference(grams, np.random.default_rng(i)) for i in range(40)], axis=0)
    assert found[0] == pytest.approx(expected, rel=0.03)
    assert found[1] == pytest.approx(0, abs=1e-12)


class Wave:
    """A change of one pattern that is a step function of a + b."""

    epsilon = 0.05
    declaration = {"name": "wave"}  # noqa: RUF012

    def __init__(self, factors, pattern):
        self.factors, self.pattern = factors, pattern

    def changes(self, values):
        size = np.where(values.sum(axis=1) % 4 < 2, -self.epsilon, self.epsilon)
        return (size[:, None] * self.pattern).astype(np.float32).reshape(len(values), 1, 1, -1)


def test_a_change_along_a_mixture_lowers_the_score_and_noise_of_its_size_does_not(linear):
    factors = (Factor("a", 12), Factor("b", 12))
    original = linear(factors, wide([8, 0], [0, 3]))
    pattern = np.random.default_rng(0).choice([-1.0, 1.0], size=WIDE)
    modified = Modified(original, Wave(factors, pattern))
    noisy = Noisy(original, 0.05)
    assert audit(original).score == pytest.approx(1, abs=1e-6)
    assert audit(noisy).score == pytest.approx(left_by_noise(0.05), abs=0.015)
    assert left_by_noise(0.05) > 0.95
    # Ends two steps apart always lie on both sides of a switch.
    assert audit(modified).score < 0.3


def test_the_radius_of_posterior_noise_in_a_linear_encoder(linear):
    # Codes are twice a and half of b (in grey levels, 1 and 2 a step), with deviations 1 and 4.
    data = linear((Factor("a", 5), Factor("b", 5)), [[1, 0], [0, 2]])

    def posterior(images):
        rows = images.reshape(len(images), 2).astype(np.float64)
        return rows * [2, 0.5], np.tile([1.0, 4.0], (len(images), 1))

    # A step of a moves its code by 2 deviations, one of b by 1 / 4; sqrt 2 steps are a deviation.
    found = posterior_radius(posterior, data)
    np.testing.assert_allclose(found, np.array([1 / 2, 4]) / np.sqrt(2), rtol=1e-6)


def test_components_are_shown_beside_their_factors(linear):
    shown = examples(linear(TWO, [[6, 0], [0, -2]]), n=2)
    assert len(shown) == 2
    assert shown[0].image.shape == (1, 2, 1)
    np.testing.assert_allclose(shown[0].factors[:, 0, :, 0], [[1, 0], [0, -1 / 3]], atol=1e-5)
    np.testing.assert_allclose(shown[0].components, shown[0].factors, atol=1e-5)


def test_matched_angles_pair_each_direction_with_its_nearest():
    a = np.eye(3)[None]
    turned = np.array([[[0, 1, 0], [-1, 0, 0], [0, 0, 1.0]]])
    np.testing.assert_allclose(matched_angles(a, turned), [0], atol=1e-6)
    np.testing.assert_allclose(matched_angles(a, np.zeros((1, 3, 2))), [90])
