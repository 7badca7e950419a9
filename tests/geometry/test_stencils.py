"""Which images are compared: ends by hand, weights from variances."""

from itertools import product

import numpy as np
import pytest

from gordium.datasets import Noisy, load_dataset
from gordium.factors import Factor
from gordium.geometry.differences import as_decoder, factor_jacobians
from gordium.geometry.places import circle_lengths, grid_stencil, steps_within
from gordium.geometry.stencils import Stencil, arm


def test_an_ordered_factor_has_ends_within_its_range():
    found = arm(Factor("a", 4))
    assert found.values.tolist() == [[0, 1, 2], [1, 2, 3]]
    # Four values in steps of 1 have variance 15 / 12, and the ends lie two steps apart.
    assert found.weight == pytest.approx(np.std(range(4)) / 2)


def test_a_circular_factor_wraps():
    found = arm(Factor("a", 8, "circular"), step=2).values.tolist()
    assert found == [[(c - 2) % 8, c, (c + 2) % 8] for c in range(8)]


def test_a_circle_shorter_than_its_factor_leaves_the_repeated_value_out():
    assert arm(Factor("a", 6, "circular"), period=5).values.tolist()[0] == [4, 0, 1]
    assert arm(Factor("a", 6, "circular"), period=5).values.max() == 4


@pytest.mark.parametrize("kind", ["ordered", "circular", "nominal"])
def test_two_values_are_a_pair_of_any_kind_and_its_deviation_is_half_a_step(kind):
    found = arm(Factor("a", 2, kind))
    assert (found.values.tolist(), found.weight, found.is_pair) == ([[0, 0, 1]], 0.5, True)


def test_nominal_values_take_all_pairs_and_their_mean_square_is_the_variance():
    found = arm(Factor("a", 4, "nominal"))
    assert found.values[:, [0, 2]].tolist() == [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    shown = np.array([3.0, 1.0, 4.0, 8.0])
    changes = found.weight * (shown[found.values[:, 2]] - shown[found.values[:, 0]])
    assert np.mean(changes**2) == pytest.approx(shown.var())


def test_steps_that_leave_the_range_are_refused():
    with pytest.raises(ValueError, match="factor a must lie in 1 to 2, which its 5 values"):
        arm(Factor("a", 5), step=3)


def test_cells_are_all_or_different_ones():
    stencil = Stencil((arm(Factor("a", 5)), arm(Factor("b", 3, "nominal"))))
    rng = np.random.default_rng(0)
    assert len(stencil) == len(stencil.draw(100, rng)) == 9
    drawn = stencil.draw(8, rng)
    assert len(np.unique(drawn.reshape(8, -1), axis=0)) == 8


def test_no_two_differences_share_noise():
    """Images of pure noise: the mean product of two columns is 0, of one with itself the gain."""
    factors = (
        Factor("a", 5),
        Factor("b", 2),
        Factor("c", 3, "nominal"),
        Factor("d", 4, "circular"),
    )
    stencil = Stencil(tuple(arm(factor) for factor in factors))
    # One pixel for each image, so that the columns hold its coefficient in each difference.
    sizes = [factor.size for factor in factors]
    eye = np.eye(np.prod(sizes))
    jacobians = factor_jacobians(
        lambda values: eye[np.ravel_multi_index(tuple(values.T), sizes)],
        stencil,
        stencil.draw(10**6, np.random.default_rng(0)),
    )
    grams = jacobians.swapaxes(1, 2) @ jacobians
    expected = np.broadcast_to(np.diag(stencil.noise_gain()), grams.shape)
    np.testing.assert_allclose(grams, expected, atol=1e-6)


def test_differences_of_a_linear_renderer_are_its_columns(linear):
    factors = (Factor("a", 5), Factor("b", 3, "nominal"))
    data = linear(factors, [[2, 0, 1], [0, 7, 0]])
    stencil = grid_stencil(data)
    cells = stencil.draw(100, np.random.default_rng(0))
    found = 255 * factor_jacobians(as_decoder(data), stencil, cells)
    np.testing.assert_allclose(
        found[:, :, 0], np.tile([[2, 0, 1]], (9, 1)) * np.std(range(5)), rtol=1e-4
    )
    steps = cells[:, 1, 2] - cells[:, 1, 0]
    np.testing.assert_allclose(found[:, 1, 1], 7 * steps / np.sqrt(3), rtol=1e-4)


def test_orientation_of_dsprites_repeats_after_39_values():
    data = load_dataset("dsprites", size=16).hold(shape=2, x=3, y=20)
    assert circle_lengths(data) == [None, 39]
    assert circle_lengths(Noisy(data, 0.2)) == [None, 39]
    assert grid_stencil(data).arms[1].values[0].tolist() == [38, 0, 1]


def test_hues_of_shapes3d_are_whole_circles(room):
    held = {"wall_hue": 0, "object_hue": 0, "scale": 0, "shape": 0}
    assert circle_lengths(load_dataset("shapes3d", size=16).hold(**held)) == [10, None]


def test_a_radius_is_rounded_to_steps_that_there_is_room_for(linear):
    factors = (Factor("a", 9), Factor("b", 9), Factor("c", 9), Factor("d", 3, "nominal"))
    data = linear(factors, np.eye(4, dtype=int))
    # The deviation of nine values is sqrt(80 / 12) = 2.58 steps.
    assert steps_within(data, [0.1, 1.0, np.inf, 5.0]) == (1, 3, 4, 1)


def test_a_factor_of_one_value_is_named(linear):
    with pytest.raises(ValueError, match="factor b takes a single value; hold it"):
        grid_stencil(linear((Factor("a", 3), Factor("b", 1)), [[1, 0], [0, 1]]))


def test_pairs_average_over_the_other_pairs_values():
    stencil = Stencil((arm(Factor("a", 2)), arm(Factor("b", 2))))
    cells = stencil.draw(1, np.random.default_rng(0))
    found = [(low[0].tolist(), high[0].tolist()) for low, high in stencil.ends(cells, 0)]
    assert found == [([0, b], [1, b]) for (b,) in product((0, 1))]
