"""A square bent by a random network (Rolinek et al. 2019, supplement 8.5)."""

import numpy as np
import pytest

from gordium.datasets import SyntheticNonlinear


def points(data):
    return data.images(np.arange(len(data)))[:, :, 0, 0].astype(np.float64)


def test_six_numbers_of_two_uniform_factors():
    data = SyntheticNonlinear(n=4000)
    values = data.factors_at(np.arange(4000))
    assert data.image_shape == (6, 1, 1)
    assert values.min() >= 0
    assert values.max() <= 1
    np.testing.assert_allclose(values.mean(axis=0), 0.5, atol=0.02)


def test_the_surface_is_two_dimensional_and_bent():
    data = SyntheticNonlinear(n=4000)
    x, w = points(data), data.factors_at(np.arange(4000))

    # A plane would be fitted by an affine map without remainder; a smooth surface over a small
    # square is fitted far better by a polynomial of degree 4.
    def remainder(degree):
        terms = [
            w[:, 0] ** i * w[:, 1] ** j for i in range(degree + 1) for j in range(degree + 1 - i)
        ]
        design = np.stack(terms, axis=1)
        return np.std(x - design @ np.linalg.lstsq(design, x, rcond=None)[0]) / np.std(x)

    assert remainder(1) > 1e-3
    assert remainder(4) < remainder(1) / 50


def test_a_smaller_set_is_the_beginning_of_a_larger():
    some, more = SyntheticNonlinear(n=100, seed=3), SyntheticNonlinear(n=300, seed=3)
    np.testing.assert_allclose(points(some), points(more)[:100], rtol=1e-6)
    np.testing.assert_array_equal(some.samples.values, more.samples.values[:100])


def test_seeds_differ_in_points_and_network():
    a, b = SyntheticNonlinear(n=50, seed=0), SyntheticNonlinear(n=50, seed=1)
    assert not np.allclose(a.samples.values, b.samples.values)
    assert not np.allclose(points(a), points(b))


def test_no_samples_is_refused():
    with pytest.raises(ValueError, match="n must be at least 1"):
        SyntheticNonlinear(n=0)
