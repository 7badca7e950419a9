"""Theorem 1 of Locatello et al. 2019: the same distribution, every derivative non-zero."""

import numpy as np
import pytest
from scipy import stats

import gordium as gd
from gordium.theory import Entangling, entangle, householder

FAMILIES = {
    "normal": [stats.norm(), stats.norm(3, 2)],
    "uniform": [stats.uniform(), stats.uniform(-1, 2), stats.uniform(5, 1)],
    "exponential": [stats.expon(), stats.expon(scale=3)],
    "heavy tails": [stats.t(3), stats.laplace(1, 2), stats.cauchy()],
    "mixed": [stats.beta(0.5, 0.5), stats.gamma(2), stats.logistic(), stats.norm()],
}
CASES = pytest.mark.parametrize("marginals", FAMILIES.values(), ids=FAMILIES)


class Triangle:
    """On (0, 1) with density 2x; no scipy object, no sf."""

    def cdf(self, x):
        return np.clip(x, 0, 1) ** 2

    def ppf(self, q):
        return np.sqrt(q)


def draw(marginals, n, seed=0):
    rng = np.random.default_rng(seed)
    return np.column_stack([m.rvs(size=n, random_state=rng) for m in marginals])


@pytest.mark.parametrize("d", [2, 3, 7])
@pytest.mark.parametrize("alpha", [0.01, 0.25, 0.49])
def test_householder_is_orthogonal_without_zeros(d, alpha):
    a = householder(d, alpha=alpha)
    np.testing.assert_allclose(a @ a.T, np.eye(d), atol=1e-12)
    assert np.abs(a).min() > 1e-3
    assert a[0, 0] == pytest.approx(1 - 2 * alpha)
    # The proof prints -v_i v_j, which is not orthogonal.
    assert a[0, 1] == pytest.approx(-2 * np.sqrt(alpha * (1 - alpha) / (d - 1)))


def test_two_normals_are_only_reflected():
    # For standard normals g and h undo each other: f is the linear map A.
    a = householder(2)
    z = np.random.default_rng(0).normal(size=(100, 2))
    np.testing.assert_allclose(Entangling([stats.norm()] * 2, a)(z), z @ a.T, atol=1e-10)


@CASES
def test_marginals_stay(marginals):
    moved = Entangling(marginals, householder(len(marginals)))(draw(marginals, 5000))
    for marginal, column in zip(marginals, moved.T, strict=True):
        assert stats.kstest(column, marginal.cdf).pvalue > 0.01


@CASES
def test_coordinates_stay_independent(marginals):
    n, d = 4000, len(marginals)
    moved = Entangling(marginals, householder(d))(draw(marginals, n, seed=1))
    for i in range(d):
        for j in range(i):
            # Uniform on the unit square, by its own marginals: a 4 x 4 table of equal cells.
            u, v = marginals[i].cdf(moved[:, i]), marginals[j].cdf(moved[:, j])
            table = np.histogram2d(u, v, bins=4, range=[[0, 1], [0, 1]])[0]
            assert stats.chi2_contingency(table).pvalue > 0.005


@CASES
def test_the_density_is_kept_at_every_point(marginals):
    # p(f(z)) |det f'(z)| = p(z) says, with no sampling, that f(z) has the density of z.
    f = Entangling(marginals, householder(len(marginals)))
    z = draw(marginals, 200, seed=2)

    def log_density(points):
        return sum(m.logpdf(c) for m, c in zip(marginals, points.T, strict=True))

    volume = np.linalg.slogdet(f.jacobian(z))[1]
    np.testing.assert_allclose(log_density(f(z)) + volume, log_density(z), atol=1e-7)


@CASES
def test_jacobian_is_that_of_finite_differences_and_has_no_zero(marginals):
    f = Entangling(marginals, householder(len(marginals)))
    # Away from the ends of the supports, where a difference quotient is no good.
    z = np.column_stack([m.ppf(np.linspace(0.2, 0.8, 7)[[3, 0, 5, 6, 1]]) for m in marginals])
    step = 1e-6
    columns = [(f(z + step * e) - f(z - step * e)) / (2 * step) for e in np.eye(len(marginals))]
    jacobian = f.jacobian(z)
    np.testing.assert_allclose(jacobian, np.stack(columns, axis=2), rtol=1e-5, atol=1e-8)
    assert np.abs(jacobian).min() > 1e-3


@CASES
def test_inverse_undoes(marginals):
    f = Entangling(marginals, householder(len(marginals), alpha=0.4))
    z = draw(marginals, 500, seed=3)
    np.testing.assert_allclose(f.inverse(f(z)), z, rtol=1e-6, atol=1e-9)


def test_any_object_with_cdf_and_ppf_will_do():
    f = Entangling([Triangle(), Triangle()], householder(2))
    z = np.sqrt(np.random.default_rng(0).random((3000, 2)))
    for column in f(z).T:
        assert stats.kstest(column, Triangle().cdf).pvalue > 0.01
    np.testing.assert_allclose(f.inverse(f(z)), z, atol=1e-9)


def test_wrong_input_is_refused():
    with pytest.raises(ValueError, match=r"between 0 and 0\.5; got 0\.5"):
        householder(2, alpha=0.5)
    with pytest.raises(ValueError, match="at least 2 dimensions"):
        householder(1)
    with pytest.raises(ValueError, match="orthogonal, 2 x 2"):
        Entangling([stats.norm()] * 2, np.eye(3))
    with pytest.raises(ValueError, match="must be \\(n, 2\\)"):
        Entangling([stats.norm()] * 2, np.eye(2))(np.zeros((4, 3)))


@pytest.fixture(scope="module")
def perfect():
    """Codes that are each a factor of ten values with noise within the value's cell."""
    rng = np.random.default_rng(0)
    factors = rng.integers(10, size=(4000, 3))
    return factors + rng.random((4000, 3)), factors


def test_codes_keep_the_values_of_each_column(perfect):
    codes, _ = perfect
    moved = entangle(codes)
    np.testing.assert_allclose(np.sort(moved, axis=0), np.sort(codes, axis=0), rtol=1e-12)


def test_codes_stay_independent(perfect):
    moved = entangle(perfect[0])
    correlation = stats.spearmanr(moved).statistic - np.eye(3)
    assert np.abs(correlation).max() < 4 / np.sqrt(len(moved))


def test_scores_fall(perfect):
    codes, factors = perfect
    assert gd.metrics.mig(codes, factors) > 0.75
    assert gd.metrics.mig(entangle(codes), factors) < 0.25
    assert gd.metrics.mcc(codes, factors) > 0.99
    assert gd.metrics.mcc(entangle(codes), factors) < 0.85


def test_codes_follow_the_bijection_of_their_true_marginals():
    # With many samples the empirical marginals are the true ones, but for the extremes, whose
    # normal scores stay random.
    z = np.random.default_rng(0).random((50_000, 2))
    known = Entangling([stats.uniform()] * 2, householder(2, alpha=0.3))(z)
    inner = ((z > 0.01) & (z < 0.99)).all(axis=1)
    np.testing.assert_allclose(entangle(z, alpha=0.3)[inner], known[inner], atol=0.02)


def test_equal_rows_stay_equal():
    z = np.random.default_rng(0).normal(size=(100, 3)).astype(np.float32)
    twice = entangle(np.concatenate([z, z[::-1]]))
    assert twice.dtype == np.float32
    np.testing.assert_array_equal(twice[:100], twice[:99:-1])


def test_codes_without_a_density_are_refused():
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="columns \\[1\\] take few values in 50 different rows"):
        entangle(np.column_stack([rng.normal(size=50), rng.integers(3, size=50)]))
    with pytest.raises(ValueError, match="2 codes; got \\(5, 1\\)"):
        entangle(rng.normal(size=(5, 1)))
    with pytest.raises(ValueError, match="finite"):
        entangle([[0.0, np.nan], [1.0, 2.0]])
