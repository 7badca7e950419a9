"""The distance to orthogonality of matrices, against hand-made ones and integer programming."""

from itertools import permutations, product
from math import cos, pi, radians, sin, sqrt

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.stats import ortho_group

from gordium.geometry import closest_signed_permutation, matrix_distance, near_degenerate


def gram(*matrices):
    return np.array([m.T @ m for m in matrices])


def turned(degrees, scales=(2.0, 1.0)):
    """A 2 x 2 matrix with the given singular values and right singular vectors at an angle."""
    a = radians(degrees)
    return np.diag(scales) @ np.array([[cos(a), sin(a)], [-sin(a), cos(a)]])


def integer_programme(v):
    """(S75) of Rolinek 2019 as written: variables P+, P- (binary) and D, in that order."""
    d = len(v)
    n, eye = d * d, np.eye(d * d)
    in_columns, in_rows = np.kron(np.ones(d), np.eye(d)), np.kron(np.eye(d), np.ones(d))
    sums = np.vstack([in_columns, in_rows])
    none = np.zeros((2 * d, n))
    solved = milp(
        np.repeat([0, 0, 1], n),
        integrality=np.repeat([1, 1, 0], n),
        bounds=Bounds(0, np.repeat([1, 1, np.inf], n)),
        constraints=[
            LinearConstraint(np.hstack([eye, -eye, -eye]), ub=v.ravel()),
            LinearConstraint(np.hstack([-eye, eye, -eye]), ub=-v.ravel()),
            LinearConstraint(np.hstack([sums, sums, none]), 1, 1),
        ],
        options={"mip_rel_gap": 0},
    )
    assert solved.success
    p = np.rint(solved.x[:n]) - np.rint(solved.x[n : 2 * n])
    return p.reshape(d, d)


@pytest.mark.parametrize("d", [2, 3, 4, 5, 6])
def test_the_assignment_is_the_integer_programme(d):
    rng = np.random.default_rng(d)
    for v in ortho_group.rvs(d, size=30, random_state=rng):
        ours, theirs = closest_signed_permutation(v), integer_programme(v)
        assert np.abs(v - ours).sum() == pytest.approx(np.abs(v - theirs).sum(), abs=1e-9)
        values = rng.uniform(1, 5, size=d)  # distinct with probability one
        found = matrix_distance([v @ np.diag(values) @ v.T])[0]
        assert found == pytest.approx(np.linalg.norm(v - theirs), abs=1e-9)


def test_it_is_the_nearest_of_all_signed_permutations():
    rng = np.random.default_rng(0)
    signed = [
        np.array(signs)[:, None] * np.eye(3)[list(order)]
        for order in permutations(range(3))
        for signs in product([-1, 1], repeat=3)
    ]
    for v in [*ortho_group.rvs(3, size=50, random_state=rng), *rng.uniform(-1, 1, (50, 3, 3))]:
        best = min(np.abs(v - p).sum() for p in signed)
        assert np.abs(v - closest_signed_permutation(v)).sum() == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("degrees", [0, 10, 30, 44.9, 60, 80, 90, 135.5, 200, -20])
def test_the_distance_of_a_rotation_of_the_plane(degrees):
    # The nearest quarter turn is t away, t <= 45 degrees. The difference of two rotations by t
    # is 2 sin(t / 2) times a rotation, whose Frobenius norm is sqrt(2).
    t = abs(radians(degrees) - round(degrees / 90) * pi / 2)
    found = matrix_distance(gram(turned(degrees)))[0]
    assert found == pytest.approx(2 * sqrt(2) * sin(t / 2), abs=1e-9)


def test_orthogonal_columns_have_distance_zero():
    columns = ortho_group.rvs(6, random_state=0)[:, :4] * [3.0, 0.1, 2.0, 7.0]
    assert matrix_distance(gram(columns)) == pytest.approx(0, abs=1e-12)


def test_orders_signs_and_scales_of_units_do_not_matter():
    rng = np.random.default_rng(1)
    m = rng.standard_normal((8, 5))
    other = 3 * m[:, rng.permutation(5)] * rng.choice([-1, 1], size=5)
    one, two = matrix_distance(gram(m, other))
    assert one == pytest.approx(two, abs=1e-9)


def test_the_singular_vectors_are_those_of_a_plain_decomposition():
    rng = np.random.default_rng(2)
    matrices = rng.standard_normal((20, 30, 6))
    expected = [
        np.linalg.norm(v.T - closest_signed_permutation(v.T)) for v in np.linalg.svd(matrices)[2]
    ]
    np.testing.assert_allclose(matrix_distance(gram(*matrices)), expected, atol=1e-9)


def test_close_and_negligible_singular_values_are_found():
    cases = {
        (2.0, 1.0, 0.5): False,
        (2.0, 1.985, 0.5): True,  # 0.75 % apart
        (2.0, 1.97, 0.5): False,  # 1.5 % apart
        (2.0, 1.0, 0.0): False,  # one passive unit is determined by the others
        (2.0, 1e-5, 2e-6): True,  # two passive units, however far apart
        (0.0, 0.0, 0.0): True,
    }
    v = ortho_group.rvs(3, random_state=0)
    grams = [v @ np.diag(np.square(values)) @ v.T for values in cases]
    assert near_degenerate(grams).tolist() == list(cases.values())
    assert near_degenerate(grams[:3], tolerance=0.02).tolist() == [False, True, True]


def test_one_unit_is_always_aligned():
    assert matrix_distance([[[4.0]]]).tolist() == [0.0]
    assert near_degenerate([[[4.0]]]).tolist() == [False]


BAD = {
    r"must be \(n, d, d\); got \(2, 2\)": np.eye(2),
    r"must be \(n, d, d\); got \(1, 3, 2\)": np.ones((1, 3, 2)),
    "must be finite": np.full((1, 2, 2), np.nan),
    "must be symmetric; give J": np.array([[[1.0, 2.0], [0.0, 1.0]]]),
}


@pytest.mark.parametrize("message", BAD)
def test_what_is_no_gram_matrix_is_refused(message):
    for function in (matrix_distance, near_degenerate):
        with pytest.raises(ValueError, match=message):
            function(BAD[message])


def test_a_tolerance_is_a_fraction():
    with pytest.raises(ValueError, match=r"tolerance must lie in \[0, 1\); got 2"):
        near_degenerate([np.eye(2)], tolerance=2)
