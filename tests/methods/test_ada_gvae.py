"""Ada-GVAE against torch's distributions and pairs worked out by hand."""

import pytest
import torch

from gordium.methods import AdaGVAE, Batch, BetaVAE, Context, Networks, decode
from gordium.methods.ada_gvae import gaussian_kl, share, shared_units
from gordium.networks import Linear, Posterior, autoencoder
from gordium.pairs import UNI


def posterior(n, d, seed=0):
    chance = torch.Generator().manual_seed(seed)
    return Posterior(*torch.randn(2, n, d, generator=chance, dtype=torch.float64))


def test_kl_agrees_with_torch_distributions():
    q, p = posterior(50, 3, 0), posterior(50, 3, 1)
    as_normal = [torch.distributions.Normal(m, (0.5 * v).exp()) for m, v, _ in (q, p)]
    torch.testing.assert_close(gaussian_kl(q, p), torch.distributions.kl_divergence(*as_normal))


def test_units_below_the_middle_of_the_range_are_shared():
    # Unit variances, so KLs are half the squared steps: 0, 0.5, 2 and 8; the middle is 4.
    # In the second pair 8, 8, 0, 4.5: the last is above the middle, 4.
    still = torch.zeros(2, 4).double()
    steps = torch.tensor([[0.0, 1.0, 2.0, 4.0], [4.0, 4.0, 0.0, 3.0]]).double()
    found = shared_units(Posterior(still, still), Posterior(steps, still))
    assert found.tolist() == [[True, True, True, False], [False, False, True, False]]


def test_the_threshold_is_of_the_first_view_to_the_second():
    # KL(N(0, 1) || N(0, s^2)) = log s + 1 / (2 s^2) - 1/2: 0.32 for s = 2 and 0.80 for s = 1/2;
    # turned around they are 0.81 and 0.32. A unit with mean step 1.2 lies between, at 0.72.
    first = Posterior(torch.zeros(1, 3), torch.zeros(1, 3))
    log_variance = torch.tensor([[4.0, 0.25, 1.0]]).log()
    second = Posterior(torch.tensor([[0.0, 0.0, 1.2]]), log_variance)
    assert shared_units(first, second).tolist() == [[True, False, False]]
    assert shared_units(second, first).tolist() == [[False, True, False]]


def test_shared_units_get_the_mean_of_means_and_of_variances():
    mean = torch.tensor([[1.0, 5.0], [2.0, -5.0]]).double()
    variance = torch.tensor([[1.0, 1.0], [3.0, 1.0]]).double()
    found = share(Posterior(mean, variance.log()))
    expected = torch.tensor([[1.5, 5.0], [1.5, -5.0]]).double()
    torch.testing.assert_close(found.mean, expected)
    torch.testing.assert_close(
        found.log_variance.exp(), torch.tensor([[2.0, 1.0], [2.0, 1.0]]).double()
    )


def test_views_that_agree_share_all_and_nothing_is_lost():
    one = posterior(3, 4)
    both = Posterior(*(torch.cat([t, t]) for t in one[:2]))
    found = share(both)
    torch.testing.assert_close(found.mean, both.mean)
    torch.testing.assert_close(found.log_variance, both.log_variance)


def test_the_loss_is_the_beta_vaes_of_both_views_with_averaged_posteriors():
    chance = torch.Generator().manual_seed(0)
    model = autoencoder(Linear(), (1, 2, 3), 3, likelihood="gaussian", generator=chance)
    x = torch.rand(6, 1, 2, 3, generator=chance)
    networks = Networks(model)

    def noise():
        return torch.Generator().manual_seed(5)

    [(name, loss)] = AdaGVAE(beta=3.0).losses(networks, Batch(x), Context(0, noise=noise()))
    out = decode(networks, x, share(model.encode(x)), noise())
    assert name == "model"
    assert torch.equal(loss.total, BetaVAE(beta=3.0)(out, Context(0)).total)
    assert out.output.shape == x.shape


def test_hyperparameters_are_checked_and_choose_the_pairs():
    assert AdaGVAE().pairing == UNI()
    assert AdaGVAE(changes=1).pairing == UNI(1)
    with pytest.raises(ValueError, match="beta must be a number of at least 0; got -2"):
        AdaGVAE(beta=-2)
    with pytest.raises(ValueError, match="changes must be at least 1, or None; got 0"):
        AdaGVAE(changes=0)


def test_training_lowers_the_loss(small_run):
    history = small_run(AdaGVAE(), steps=40, every=10).history
    assert history[-1]["loss"] < history[0]["loss"]


def test_a_cut_run_goes_on_to_the_same_bits(assert_resumes):
    assert_resumes(AdaGVAE(changes=1))
