"""The L^p-nested density against quadrature, scipy and its own samples."""

import numpy as np
import pytest
import torch
from numpy.polynomial.legendre import leggauss
from scipy import stats

from gordium.priors import LpNested, generalised_gaussian

EXPONENTS = [(2.1, 2.2), (2.0, 2.0), (1.0, 2.0), (2.0, 1.0), (0.7, 1.5), (9.0, 2.0), (2.0, 0.6)]


def nested(p0, p, sizes, scale=2.0):
    p = [p] * len(sizes) if isinstance(p, float) else p
    return LpNested(*(torch.tensor(e, dtype=torch.float64) for e in (p0, p)), sizes, scale)


def gaussian_points(shape=(50, 5)):
    chance = torch.Generator().manual_seed(0)
    return torch.randn(shape, generator=chance, dtype=torch.float64)


def orthant(density, n_nodes, power=3):
    """Gauss-Legendre nodes and weights on each axis, up to where exp(-40) is left.

    The substitution z = t^3 smooths what small exponents make rough at the axes.
    """
    end = (40 * density.scale) ** (1 / density.p0.item() / power)
    t, weights = leggauss(n_nodes)
    t, weights = (t + 1) * end / 2, weights * end / 2
    return t**power, weights * power * t ** (power - 1)


def mass(density, n_nodes):
    z, weights = orthant(density, n_nodes)
    d = sum(density.sizes)
    grid = torch.cartesian_prod(*[torch.from_numpy(z)] * d).reshape(-1, d)
    product = torch.cartesian_prod(*[torch.from_numpy(weights)] * d).reshape(-1, d).prod(dim=1)
    return 2**d * (density.log_density(grid).exp() * product).sum().item()


@pytest.mark.parametrize("sizes", [(2,), (1, 1)])
@pytest.mark.parametrize(("p0", "p"), EXPONENTS)
@pytest.mark.parametrize("scale", [2.0, 0.7])
def test_densities_of_two_units_integrate_to_one(p0, p, sizes, scale):
    assert mass(nested(p0, p, sizes, scale), 200) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(("p0", "p"), EXPONENTS)
def test_densities_of_three_units_integrate_to_one(p0, p):
    assert mass(nested(p0, p, (3,)), 80) == pytest.approx(1, abs=1e-4)
    assert mass(nested(p0, [p, 1.3], (2, 1)), 80) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("sizes", [(5,), (2, 3), (1, 1, 1, 1, 1)])
def test_exponents_of_two_are_the_standard_normal_at_scale_two(sizes):
    z = gaussian_points()
    for scale, variance in ((2.0, 1.0), (1.0, 0.5)):
        normal = torch.distributions.Normal(torch.zeros(5).double(), variance**0.5)
        expected = normal.log_prob(z).sum(dim=1)
        torch.testing.assert_close(nested(2.0, 2.0, sizes, scale).log_density(z), expected)


def test_the_surface_of_a_round_sphere_is_known():
    # The circle's is 2 pi, the sphere's 4 pi, and the L^1 circle's 4 sides have "surface" 4:
    # the derivative of the area 2 R^2 of the ball |z1| + |z2| <= R at R = 1.
    for density, surface in (
        (nested(2.0, 2.0, (2,)), 2 * np.pi),
        (nested(2.0, 2.0, (1, 2)), 4 * np.pi),
        (nested(1.0, 1.0, (2,)), 4.0),
    ):
        assert density.log_surface().exp().item() == pytest.approx(surface, rel=1e-12)


@pytest.mark.parametrize("p", [0.8, 1.0, 2.0, 2.2, 7.0])
def test_one_level_is_the_generalised_gaussian_of_scipy(p):
    z = gaussian_points()
    expected = stats.gennorm(p, scale=3.0 ** (1 / p)).logpdf(z.numpy()).sum(axis=1)
    one_level = generalised_gaussian(torch.tensor(p, dtype=torch.float64), 5, scale=3.0)
    np.testing.assert_allclose(one_level.log_density(z).numpy(), expected, rtol=1e-12)
    # A tree whose exponents are all equal is the same density, whatever its layout.
    tree = nested(p, p, (2, 1, 2), 3.0)
    np.testing.assert_allclose(tree.log_density(z).numpy(), expected, rtol=1e-12)


def test_the_radius_is_equation_9_by_hand():
    # Subspaces (3, 4) with p = 2 and (-2) with p = 7: norms 5 and 2; p0 = 3: (125 + 8)^(1/3).
    density = nested(3.0, [2.0, 7.0], (2, 1))
    z = torch.tensor([[3.0, 4.0, -2.0]], dtype=torch.float64)
    assert density.radius(z).item() == pytest.approx(133 ** (1 / 3), rel=1e-12)


def test_subspaces_are_independent_and_their_densities_multiply():
    z = gaussian_points()
    whole = nested(2.1, [1.2, 3.0], (2, 3)).log_density(z)
    parts = nested(2.1, 1.2, (2,)).log_density(z[:, :2])
    parts = parts + nested(2.1, 3.0, (3,)).log_density(z[:, 2:])
    torch.testing.assert_close(whole, parts)


@pytest.mark.parametrize(("p0", "p"), [(2.1, 2.2), (1.0, 3.0), (4.0, 1.2)])
def test_samples_have_the_radii_and_marginals_of_the_density(p0, p):
    density = nested(p0, p, (2,))
    z = density.sample(20_000, torch.Generator().manual_seed(0))
    radial = stats.gengamma(a=2 / p0, c=p0, scale=2.0 ** (1 / p0))
    assert stats.kstest(density.radius(z).numpy(), radial.cdf).pvalue > 0.01
    # Cells of the positive quadrant; the mass of columns is the marginal, of squares the maximum.
    edges = np.linspace(0, (40 * 2) ** (1 / p0), 1001)
    middle = torch.from_numpy((edges[1:] + edges[:-1]) / 2)
    cells = density.log_density(torch.cartesian_prod(middle, middle)).exp().reshape(1000, 1000)
    cells = (4 * edges[1] ** 2 * cells).numpy()
    marginal = np.append(0, cells.sum(axis=1).cumsum())
    largest = np.append(0, np.diagonal(cells.cumsum(axis=0).cumsum(axis=1)))
    for values, cdf in (
        (z[:, 0].abs(), marginal),
        (z[:, 1].abs(), marginal),
        (z.abs().amax(dim=1), largest),
    ):
        found = stats.kstest(values.numpy(), lambda v, cdf=cdf: np.interp(v, edges, cdf))
        assert found.pvalue > 0.01
    assert stats.binomtest(int((z > 0).sum()), z.numel()).pvalue > 0.01


def independence(a, b):
    """The p-value of the chi-square test on a table of quarters."""
    quarters = [np.searchsorted(np.quantile(v, [0.25, 0.5, 0.75]), v) for v in (a, b)]
    table = np.zeros((4, 4))
    np.add.at(table, tuple(quarters), 1)
    return stats.chi2_contingency(table).pvalue


def test_samples_are_independent_between_subspaces_and_not_within():
    density = nested(1.0, [3.0, 2.0], (2, 3))
    size = density.sample(20_000, torch.Generator().manual_seed(1)).abs().numpy()
    assert independence(size[:, 0], size[:, 2]) > 0.01
    assert independence(size[:, 0] + size[:, 1], size[:, 2:].sum(axis=1)) > 0.01
    assert independence(size[:, 0], size[:, 1]) < 1e-6
    assert independence(size[:, 2], size[:, 4]) < 1e-6


def test_the_same_generator_gives_the_same_samples_and_no_other_is_read():
    before = torch.get_rng_state()
    density = nested(2.1, 2.2, (4, 3))
    first, second = (density.sample(5, torch.Generator().manual_seed(3)) for _ in range(2))
    assert torch.equal(first, second)
    assert first.shape == (5, 7)
    assert torch.equal(before, torch.get_rng_state())


def test_gradients_agree_with_finite_differences():
    def log_density(p0, p, z):
        return LpNested(p0, p, (2, 1, 2)).log_density(z)

    p0 = torch.tensor(2.1, dtype=torch.float64, requires_grad=True)
    p = torch.tensor([2.0, 1.3, 2.6], dtype=torch.float64, requires_grad=True)
    z = gaussian_points((4, 5)).requires_grad_()
    assert torch.autograd.gradcheck(log_density, (p0, p, z))


@pytest.mark.parametrize(("p0", "p"), [(2.1, 2.2), (0.5, 0.5), (0.5, 3.0), (3.0, 0.5)])
def test_density_and_gradients_are_finite_at_zero(p0, p):
    z = torch.zeros(2, 3, requires_grad=True)
    exponents = [torch.tensor(p0, requires_grad=True), torch.tensor([p, p], requires_grad=True)]
    value = LpNested(*exponents, (2, 1)).log_density(z).sum()
    gradients = torch.autograd.grad(value, [z, *exponents])
    assert torch.isfinite(value)
    assert all(torch.isfinite(gradient).all() for gradient in gradients)
    assert torch.equal(gradients[0], torch.zeros(2, 3))
