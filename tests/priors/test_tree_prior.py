"""Trees whose exponents can be learned: against two levels, LpTree's formulas and integrals."""

import numpy as np
import pytest
import torch
from scipy import integrate, stats

from gordium.priors import LpTree, NestedPrior, TreeDensity, TreePrior, make_tree

DEEP = (1.4, (0.8, 1, (3.0, 2)), 1, (2.5, 2))


def chance(seed=0):
    return torch.Generator().manual_seed(seed)


def draw(d, n=50):
    return torch.randn(n, d, generator=chance(), dtype=torch.float64)


@pytest.mark.parametrize("sizes", [(2, 3), (1, 1, 4), (3,)])
def test_a_tree_of_two_levels_is_the_flat_prior(sizes):
    flat = NestedPrior(sizes, 2.1, 1.7, learn_p=True, learn_p0=True)
    tree = TreePrior(make_tree((2.1, *((1.7, n) for n in sizes))), learn_p=True, learn_p0=True)
    z = draw(sum(sizes))
    theirs, ours = flat.double().density(), tree.double().density()
    torch.testing.assert_close(ours.log_density(z), theirs.log_density(z), rtol=0, atol=1e-6)
    torch.testing.assert_close(ours.radius(z), theirs.radius(z), rtol=0, atol=1e-6)
    drawn = ours.sample(200, chance(1))
    torch.testing.assert_close(drawn, theirs.sample(200, chance(1)), rtol=0, atol=1e-6)
    for prior in (flat, tree):
        prior.density().log_density(z).mean().backward()
    torch.testing.assert_close(tree.log_p.grad, flat.log_p.grad, rtol=0, atol=1e-6)
    torch.testing.assert_close(tree.log_p0.grad, flat.log_p0.grad, rtol=0, atol=1e-6)
    assert list(tree.read_learned()) == list(flat.read_learned())


def test_fixed_exponents_give_the_density_of_the_tree():
    tree, z = make_tree(DEEP), draw(6)
    assert tree.depth == 3
    ours = TreePrior(tree).double().density()  # exponents are float32
    torch.testing.assert_close(ours.log_density(z), tree.log_density(z), rtol=0, atol=1e-5)
    assert float(ours.log_surface()) == pytest.approx(tree.log_surface(), abs=1e-5)


def test_a_node_that_occurs_twice_has_an_exponent_for_each_place():
    twice = LpTree(2.0, (2,))
    shared = TreeDensity(LpTree(1.5, (twice, twice)), torch.tensor([1.5, 3.0, 0.7]))
    apart = make_tree((1.5, (3.0, 2), (0.7, 2)))
    z = draw(4).float()
    torch.testing.assert_close(shared.log_density(z), apart.log_density(z))


def test_the_density_of_three_levels_integrates_to_1():
    """In the positive part, times its eight copies; beyond 6 there is next to nothing."""
    density = TreePrior(make_tree((2.0, 1, (3.0, 1, (1.5, 1))))).double().density()
    grid = np.linspace(0, 6, 61)
    points = torch.tensor(np.stack(np.meshgrid(grid, grid, grid, indexing="ij"), -1).reshape(-1, 3))
    values = density.log_density(points).exp().numpy().reshape(61, 61, 61)
    total = integrate.simpson(integrate.simpson(integrate.simpson(values, x=grid), x=grid), x=grid)
    assert 8 * total == pytest.approx(1, abs=2e-3)


def test_samples_of_three_levels_have_the_radial_density_and_the_density_itself():
    density = TreePrior(make_tree(DEEP)).double().density()
    z = density.sample(20_000, chance(3))
    energy = (density.radius(z) ** density.p[0] / 2).numpy()
    assert stats.kstest(energy, stats.gamma(6 / 1.4).cdf).pvalue > 1e-3
    # E[|z_k d/dz_k log p|] is 1 for every coordinate of every density that falls to 0.
    z = z.requires_grad_()
    (slope,) = torch.autograd.grad(density.log_density(z).sum(), z)
    found = -(z * slope).detach()
    error = found.std(dim=0) / len(found) ** 0.5
    assert torch.all((found.mean(dim=0) - 1).abs() < 4 * error)


def test_gradients_are_finite_where_units_are_0():
    prior = TreePrior(make_tree(DEEP), learn_p=True, learn_p0=True)
    z = torch.zeros(2, 6, requires_grad=True)
    prior.density().log_density(z).sum().backward()
    for tensor in (z, prior.log_p, prior.log_p0):
        assert torch.isfinite(tensor.grad).all()


def test_learned_exponents_are_named_level_by_level():
    prior = TreePrior(make_tree(DEEP), learn_p=True)
    values = {name: float(value) for name, value in prior.read_learned().items()}
    assert values == pytest.approx({"p1": 0.8, "p2": 2.5, "p3": 3.0})
    assert not TreePrior(make_tree(DEEP)).read_learned()


def test_nested_tuples_and_lists_make_the_same_tree():
    assert make_tree([2, [3, 1]]) == LpTree(2.0, (LpTree(3.0, (1,)),))
    assert make_tree(DEEP).to_tuple() == DEEP


@pytest.mark.parametrize("wrong", [(), (2.0,), 3, ((2.0, 1), 1), (True, 1), "ab"])
def test_what_is_no_tree_is_refused(wrong):
    with pytest.raises(ValueError, match="tree must be an exponent and then its children"):
        make_tree(wrong)
