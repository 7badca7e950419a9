"""Which rotation of the latent space is cheapest (Rolinek et al. 2019, 4.2, 7.1, 7.3)."""

import numpy as np
import pytest

from gordium.theory import (
    best_rotation,
    column_norm_product,
    has_distinct_scales,
    has_orthogonal_columns,
    largest_cosine,
    preserves_axes,
    rotation,
    volume,
)


def with_singular_values(values, rng, n=6):
    d = len(values)
    u = np.linalg.qr(rng.standard_normal((n, d)))[0]
    v = np.linalg.qr(rng.standard_normal((d, d)))[0]
    return u * np.asarray(values, dtype=float), v


def test_volume_of_a_square_matrix_is_its_determinant():
    matrix = np.random.default_rng(0).standard_normal((4, 4))
    assert volume(matrix) == pytest.approx(abs(np.linalg.det(matrix)))


def test_volume_and_product_of_the_worked_example():
    m1 = np.array([[4.0, 1.0], [-3.0, 1.0], [5.0, -1.0]])
    # Columns (4, -3, 5) and (1, 1, -1): norms 50 and 3, product 4 - 3 - 5 = -4.
    assert column_norm_product(m1) == pytest.approx(np.sqrt(150))
    assert volume(m1) == pytest.approx(np.sqrt(150 - 16))
    assert largest_cosine(m1) == pytest.approx(4 / np.sqrt(150))


def test_proposition_s6():
    rng = np.random.default_rng(1)
    for _ in range(50):
        matrix = rng.standard_normal((7, 4))
        assert column_norm_product(matrix) > volume(matrix)
        turned = matrix @ best_rotation(matrix).T
        assert has_orthogonal_columns(turned)
        assert column_norm_product(turned) == pytest.approx(volume(matrix))


def test_no_angle_beats_the_best_rotation_of_27():
    matrix = np.random.default_rng(2).standard_normal((3, 2))
    angles = np.linspace(0, np.pi, 2001)
    products = [column_norm_product(matrix @ rotation(a)) for a in angles]
    best = column_norm_product(matrix @ best_rotation(matrix).T)
    assert best <= min(products) <= best * (1 + 1e-4)
    # (28): the volume is the same at every angle.
    np.testing.assert_allclose([volume(matrix @ rotation(a)) for a in angles[::100]], best)


def test_proposition_1_both_ways():
    rng = np.random.default_rng(3)
    for _ in range(20):
        straight, v = with_singular_values([3.0, 2.0, 0.5], rng)
        permuted = straight[:, [2, 0, 1]] * [1, -1, 1]
        for matrix, expected in ((straight, True), (permuted, True), (straight @ v.T, False)):
            assert has_distinct_scales(matrix)
            assert has_orthogonal_columns(matrix) is expected
            assert preserves_axes(matrix) is expected


def test_equal_scales_are_outside_proposition_1():
    straight, v = with_singular_values([2.0, 2.0], np.random.default_rng(4))
    turned = straight @ v.T
    # Orthogonal columns, and yet a rotation: what Proposition 1 excludes (supplement 9.2).
    assert has_orthogonal_columns(turned)
    assert not has_distinct_scales(turned)
    assert not has_distinct_scales(np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]]))
    # Three columns in a plane: the third singular value is zero, and they cannot be orthogonal.
    assert not has_distinct_scales(np.random.default_rng(5).standard_normal((2, 3)))
