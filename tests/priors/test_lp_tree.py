"""Trees of norms: against the two levels, against integrals, and samples against the density."""

import math

import numpy as np
import pytest
import torch
from scipy import integrate, stats

from gordium.priors import LpNested, LpTree

EQ6 = LpTree(1.0, (1, LpTree(2.0, (2,))))
DEEP = LpTree(1.4, (LpTree(0.8, (1, LpTree(3.0, (2,)))), 1))


def draw(n=50, d=4, seed=0):
    return torch.randn(n, d, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def test_equation_6():
    z = torch.tensor([[2.0, 3.0, -4.0]])
    assert float(EQ6.radius(z)) == pytest.approx(2 + 5)


@pytest.mark.parametrize("sizes", [(2, 2), (1, 3), (4,)])
def test_two_levels_are_the_isa_density(sizes):
    p0, p = 1.3, [2.2, 0.9][: len(sizes)]
    tree = LpTree(p0, tuple(LpTree(q, (n,)) for q, n in zip(p, sizes, strict=True)))
    known = LpNested(
        torch.tensor(p0, dtype=torch.float64), torch.tensor(p, dtype=torch.float64), sizes
    )
    z = draw()
    torch.testing.assert_close(tree.radius(z), known.radius(z))
    torch.testing.assert_close(tree.log_density(z), known.log_density(z))
    assert tree.log_surface() == pytest.approx(float(known.log_surface()))


def test_one_level_of_exponent_2_is_normal():
    z = draw(d=3)
    expected = stats.multivariate_normal(np.zeros(3)).logpdf(z.numpy())
    np.testing.assert_allclose(LpTree(2.0, (3,)).log_density(z).numpy(), expected)


def test_a_node_with_its_parents_exponent_changes_nothing():
    z = draw(d=3)
    torch.testing.assert_close(
        LpTree(1.7, (LpTree(1.7, (2,)), 1)).log_density(z), LpTree(1.7, (3,)).log_density(z)
    )


def test_the_density_of_a_deep_tree_integrates_to_1():
    """In the positive part, times its eight copies; beyond 6 there is next to nothing."""
    tree = LpTree(2.0, (1, LpTree(3.0, (1, LpTree(1.5, (1,))))))

    grid = np.linspace(0, 6, 61)
    points = torch.tensor(np.stack(np.meshgrid(grid, grid, grid, indexing="ij"), -1).reshape(-1, 3))
    values = tree.log_density(points).exp().numpy().reshape(61, 61, 61)
    total = integrate.simpson(integrate.simpson(integrate.simpson(values, x=grid), x=grid), x=grid)
    assert 8 * total == pytest.approx(1, abs=2e-3)


def test_the_surface_of_a_deep_tree_is_the_growth_of_its_volume():
    """V(R) = S(1) R^n / n; the volume of the unit ball by points drawn at random in a cube."""
    points = np.random.default_rng(0).uniform(-1, 1, (400_000, DEEP.n))
    inside = float((DEEP.radius(torch.tensor(points)) <= 1).double().mean())
    volume = inside * 2**DEEP.n
    error = 4 * 2**DEEP.n * math.sqrt(inside * (1 - inside) / len(points))
    assert volume == pytest.approx(math.exp(DEEP.log_surface()) / DEEP.n, abs=error)


def test_samples_have_the_radial_density_and_the_density_itself():
    z = DEEP.sample(20_000, torch.Generator().manual_seed(3))
    energy = (DEEP.radius(z) ** DEEP.p / 2).numpy()
    assert stats.kstest(energy, stats.gamma(DEEP.n / DEEP.p).cdf).pvalue > 1e-3
    # E[|z_k d/dz_k log p|] is 1 for every coordinate of every density that falls to 0.
    z = z.requires_grad_()
    (slope,) = torch.autograd.grad(DEEP.log_density(z).sum(), z)
    found = -(z * slope).detach()
    error = found.std(dim=0) / math.sqrt(len(found))
    assert torch.all((found.mean(dim=0) - 1).abs() < 4 * error)


@pytest.mark.parametrize("children", [(), (0,), (1.5,), ("a",)])
def test_children_that_are_none_are_refused(children):
    with pytest.raises(ValueError, match="children must be trees or whole numbers"):
        LpTree(1.0, children)


def test_an_exponent_must_be_positive():
    with pytest.raises(ValueError, match="p must be a number above 0"):
        LpTree(0.0, (2,))
