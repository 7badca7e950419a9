"""Layouts of latent units, and exponents that are fixed or learned."""

import pytest
import torch

from gordium.priors import NestedPrior, subspace_sizes


def test_one_size_cuts_units_into_subspaces_as_equal_as_can_be():
    assert subspace_sizes(4, 20) == (4, 4, 4, 4, 4)  # the paper's
    assert subspace_sizes(4, 2) == (2,)
    assert subspace_sizes(4, 6) == (3, 3)
    assert subspace_sizes(4, 9) == (3, 3, 3)
    assert subspace_sizes(1, 3) == (1, 1, 1)


def test_sizes_one_by_one_must_sum_to_the_latent_units():
    assert subspace_sizes((2, 3, 1), 6) == (2, 3, 1)
    with pytest.raises(ValueError, match=r"\(4, 4\) sums to 8, but latent_dim is 6"):
        subspace_sizes((4, 4), 6)
    for wrong in (0, (), (3, 0), (2.5, 3.5)):
        with pytest.raises(ValueError, match="layout must be whole numbers of at least 1"):
            subspace_sizes(wrong, 6)


def test_exponents_start_where_they_are_told_and_only_learned_ones_are_parameters():
    fixed = NestedPrior((2, 1), 2.1, 2.2)
    assert not list(fixed.parameters())
    assert not fixed.read_learned()
    torch.testing.assert_close(fixed.density().p0, torch.tensor(2.1))
    torch.testing.assert_close(fixed.density().p, torch.tensor([2.2, 2.2]))
    inner = NestedPrior((2, 1), 2.1, 2.0, learn_p=True)
    assert [name for name, _ in inner.named_parameters()] == ["log_p"]
    assert list(inner.read_learned()) == ["p1", "p2"]
    both = NestedPrior((2, 1), 2.1, 2.0, learn_p=True, learn_p0=True)
    assert list(both.read_learned()) == ["p0", "p1", "p2"]


def test_learned_exponents_stay_positive():
    prior = NestedPrior((2,), 2.1, 2.0, learn_p=True)
    for _ in range(5):
        (slope,) = torch.autograd.grad(prior.density().p.sum(), prior.log_p)
        prior.log_p.data -= 10 * slope
    assert 0 < prior.density().p.item() < 2


def test_maximum_likelihood_finds_the_exponents_of_samples():
    # Estimates spread by 0.004 and 0.12 over seeds; the tolerances are three times that.
    true = NestedPrior((2, 2), 2.1, 1.0)
    with torch.no_grad():
        true.log_p[1] = torch.tensor(4.0).log()
    z = true.density().sample(20_000, torch.Generator().manual_seed(0))
    prior = NestedPrior((2, 2), 2.1, 2.0, learn_p=True)
    optimiser = torch.optim.Adam(prior.parameters(), lr=0.05)
    for _ in range(100):
        optimiser.zero_grad()
        (-prior.density().log_density(z).mean()).backward()
        optimiser.step()
    first, second = prior.density().p.tolist()
    assert first == pytest.approx(1.0, abs=0.012)
    assert second == pytest.approx(4.0, abs=0.36)


@pytest.mark.parametrize("wrong", [{"p0": 0.0}, {"p": -1.0}, {"scale": float("inf")}])
def test_exponents_and_scale_must_be_positive(wrong):
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} must be a number above 0"):
        NestedPrior((2,), **{"p0": 2.1, "p": 2.2, **wrong})
