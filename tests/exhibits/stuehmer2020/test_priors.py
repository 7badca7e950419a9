"""Figure 2 and Algorithm 1: spheres of known volume, marginals of known densities."""

import numpy as np
import pytest
from scipy import stats

from gordium.exhibits.base import Place
from gordium.exhibits.stuehmer2020 import algorithm1 as stuehmer_samples
from gordium.exhibits.stuehmer2020 import figure2 as stuehmer_contours
from gordium.exhibits.stuehmer2020.algorithm1 import Case, independence, marginal_distribution


def test_contours_enclose_known_volumes(tmp_path, judged):
    made = stuehmer_contours.make(Place("smoke", tmp_path))
    assert all(len(line) == len(made.head) for line in made.table)
    volume = {(row["p0"], row["p1"]): row["volume"] for row in made.rows}
    # An octahedron, a double cone of height 2 on a unit disk, a ball.
    assert volume[1, 1] == pytest.approx(4 / 3, rel=1e-3)
    assert volume[1, 2] == pytest.approx(2 * np.pi / 3, rel=1e-3)
    assert volume[2, 2] == pytest.approx(4 * np.pi / 3, rel=1e-3)
    assert set(judged("stuehmer2020-figure2", made).values()) == {"seen"}
    assert made.pictures["contours.png"].startswith(b"\x89PNG")


def test_equation_6_by_hand():
    # p1 = 2 makes (3, 4) a 5; p0 = 1 adds the 2.
    assert stuehmer_contours.radius(1, 2, np.array([[-2.0, 3.0, 4.0]])) == pytest.approx(7)


def test_samples_pass_the_tests_of_the_density(tmp_path, judged):
    made = stuehmer_samples.make(Place("smoke", tmp_path))
    assert all(len(line) == len(made.head) for line in made.table)
    outcomes = judged("stuehmer2020-algorithm1", made)
    assert outcomes["units of different subspaces are independent, Cramer's V"]
    assert len(made.rows) == 4 * len(stuehmer_samples.CASES)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_the_marginal_of_equal_exponents_is_a_generalised_gaussian(size):
    grid, cumulative = marginal_distribution(Case(1.5, 1.5, (size,)), size)
    expected = stats.gennorm(1.5, scale=2 ** (1 / 1.5)).cdf(grid)
    np.testing.assert_allclose(cumulative, expected, atol=2e-3)


def test_wrong_samples_are_found_out():
    case = Case(1.0, 3.0, (2, 3))
    normal = np.random.default_rng(0).standard_normal((5000, 5))
    assert stuehmer_samples._marginals(case, normal).p_value < 1e-6
    assert stuehmer_samples._marginals(case, normal).statistic > 0.02
    assert independence(normal[:, 0], normal[:, 0] ** 2).p_value < 1e-6
    assert independence(normal[:, 0], normal[:, 0]).statistic == pytest.approx(1)
