"""SlowVAE against quadrature and torch's distributions."""

import math
from itertools import pairwise

import pytest
import torch
from scipy.integrate import quad
from scipy.stats import norm

from gordium.methods import Context, Networks, SlowVAE, forward
from gordium.methods.slow_vae import cross_entropy_to_laplace, gaussian_entropy
from gordium.networks import Linear, autoencoder
from gordium.pairs import LAP, UNI

CHANCE = torch.Generator().manual_seed(0)


@pytest.fixture
def out():
    """A pass of four pairs in double precision, with two latent units."""
    chance = torch.Generator().manual_seed(0)
    model = autoencoder(Linear(), (1, 2, 3), 2, likelihood="gaussian", generator=chance).double()
    x = torch.rand(8, 1, 2, 3, generator=chance, dtype=torch.float64)
    return forward(Networks(model), x, chance)


@pytest.mark.parametrize("rate", [0.5, 6.0])
@pytest.mark.parametrize("mean", [-2.0, 0.0, 0.3])
@pytest.mark.parametrize("sigma", [0.05, 1.0, 3.0])
def test_cross_entropy_is_the_integral(mean, sigma, rate):
    def integrand(y):
        return norm.pdf(y, mean, sigma) * (rate * abs(y) - math.log(rate / 2))

    # In two pieces, because the integrand has a kink at zero.
    ends = min(mean - 12 * sigma, -1e-9), 0.0, max(mean + 12 * sigma, 1e-9)
    points = [mean - sigma, mean, mean + sigma]
    pieces = [
        quad(integrand, a, b, points=[p for p in points if a < p < b] or None, epsabs=1e-12)[0]
        for a, b in pairwise(ends)
    ]
    given = torch.tensor([mean, 2 * math.log(sigma)], dtype=torch.float64)
    found = cross_entropy_to_laplace(given[0], given[1], rate)
    assert found.item() == pytest.approx(sum(pieces), rel=1e-9)


def test_entropy_agrees_with_torch_distributions():
    log_variance = torch.randn(50, 3, generator=CHANCE, dtype=torch.float64)
    expected = torch.distributions.Normal(0.0, (0.5 * log_variance).exp()).entropy()
    torch.testing.assert_close(gaussian_entropy(log_variance), expected)


@pytest.mark.parametrize("doubled", [False, True])
def test_the_objective_of_a_pair_term_by_term(out, doubled):
    method = SlowVAE(beta=2.0, gamma=5.0, rate=3.0, doubled_cross_entropy=doubled)
    loss = method(out, Context(0))
    expected = 0.0
    for a in range(4):  # pairs are rows a and 4 + a
        for now, other in ((a, a + 4), (a + 4, a)):
            normal = torch.distributions.Normal(out.mean[now], (0.5 * out.log_variance[now]).exp())
            prior = torch.distributions.Normal(torch.zeros(2).double(), torch.ones(2).double())
            kl = torch.distributions.kl_divergence(normal, prior).sum()
            step = out.mean[now] - out.mean[other]
            cross = cross_entropy_to_laplace(step, out.log_variance[now], 3.0).sum()
            squares = (out.output[now] - out.x[now]).square().sum()
            # Both images are reconstructed; the KLs are means over both orders of the pair.
            transition = (2 if doubled else 1) * cross - normal.entropy().sum()
            expected += squares + (2.0 * kl + 5.0 * transition) / 2
    torch.testing.assert_close(loss.total, expected / 4)
    assert set(loss.terms) == {"reconstruction", "kl", "cross_entropy", "entropy"}


def test_the_transition_term_is_a_kl_divergence():
    # KL >= 0, and by sampling: E log q - log p of y ~ q.
    mean, log_variance = torch.tensor(0.4).double(), torch.tensor(-1.0).double()
    q = torch.distributions.Normal(mean, (0.5 * log_variance).exp())
    p = torch.distributions.Laplace(torch.zeros(()).double(), 1 / 6)
    y = mean + (0.5 * log_variance).exp() * torch.randn(400_000, generator=CHANCE).double()
    sampled = (q.log_prob(y) - p.log_prob(y)).mean()
    found = cross_entropy_to_laplace(mean, log_variance, 6.0) - gaussian_entropy(log_variance)
    assert found > 0
    torch.testing.assert_close(found, sampled, atol=0.02, rtol=0)  # standard error 0.004


def test_defaults_are_the_published_ones_and_pairs_are_chosen_by_name():
    method = SlowVAE()
    assert (method.beta, method.gamma, method.rate) == (1, 10, 6)
    assert method.pairing == LAP(rate=1.0)
    assert SlowVAE(pairs="uni").pairing == UNI()


def test_bad_hyperparameters_are_named():
    with pytest.raises(ValueError, match="gamma must be a number of at least 0; got -1"):
        SlowVAE(gamma=-1)
    with pytest.raises(ValueError, match="rate must be a number above 0; got nan"):
        SlowVAE(rate=math.nan)
    with pytest.raises(ValueError, match=r"unknown pairs 'lapp'\. Did you mean lap"):
        SlowVAE(pairs="lapp")


def test_training_lowers_the_loss(small_run):
    history = small_run(SlowVAE(), steps=40, every=10).history
    assert history[-1]["loss"] < history[0]["loss"]


@pytest.mark.parametrize("pairs", ["lap", "uni"])
def test_a_cut_run_goes_on_to_the_same_bits(assert_resumes, pairs):
    assert_resumes(SlowVAE(pairs=pairs))
