"""beta-TCVAE: estimators against a q(z) that can be enumerated."""

from functools import partial
from itertools import permutations
from math import log

import numpy as np
import pytest
import torch

from gordium.methods import BetaTCVAE, Context
from gordium.methods.beta_tcvae import (
    ESTIMATORS,
    decomposition,
    weigh_evenly,
    weigh_minibatch,
    weigh_strata,
)
from gordium.networks import Posterior

DOUBLE = torch.float64
# Five images, two latent units: a small data set with a known q(z) = sum_n N(mu_n, s_n^2) / 5.
MEAN = torch.tensor([[-1.0, -0.8], [-0.4, 0.1], [0.3, 0.2], [0.9, 1.1], [1.0, -0.9]], dtype=DOUBLE)
SCALE = torch.tensor([[0.5, 0.4], [0.7, 0.6], [0.4, 0.8], [0.5, 0.5], [0.6, 0.9]], dtype=DOUBLE)
N = len(MEAN)


def gaussian(z, mean, scale):
    return torch.distributions.Normal(mean, scale).log_prob(z)


def posterior(rows):
    return Posterior(MEAN[rows], 2 * SCALE[rows].log())


def nodes(n=14):
    """Nodes and weights of Gauss and Hermite for expectations under N(0, I) of two units."""
    points, weights = np.polynomial.hermite_e.hermegauss(n)
    weights = weights / weights.sum()
    pairs = np.stack(np.meshgrid(points, points), axis=-1).reshape(-1, 2)
    return torch.tensor(pairs), torch.tensor(np.outer(weights, weights).ravel())


def exact():
    """Mutual information, total correlation and dimension-wise KL, by quadrature on a grid."""
    axis = torch.linspace(-7, 7, 701, dtype=DOUBLE)
    cell = float(axis[1] - axis[0])
    units = gaussian(axis[:, None, None], MEAN, SCALE).exp()  # (grid, image, unit)
    q = torch.einsum("an,bn->ab", units[..., 0], units[..., 1]) / N
    marginals = units.mean(dim=1)
    product = marginals[:, None, 0] * marginals[None, :, 1]
    tc = (q * (q / product).log()).nan_to_num().sum() * cell**2
    prior = gaussian(axis, torch.zeros(1, dtype=DOUBLE), torch.ones(1, dtype=DOUBLE))
    wise = (marginals * (marginals.log() - prior[:, None])).nan_to_num().sum() * cell
    entropy = -(q * q.log()).nan_to_num().sum() * cell**2
    within = (SCALE.log() + 0.5 * (1 + log(2 * np.pi))).sum(dim=1).mean()
    return [float(value) for value in (entropy - within, tc, wise)]


def mean_over_batches(estimator, size):
    """The mean of the three parts over all orders of all batches of `size` images, and over z."""
    epsilons, masses = nodes()
    weights = ESTIMATORS[estimator](size, N)

    def parts(epsilon, q):
        z = q.mean + (0.5 * q.log_variance).exp() * epsilon
        return torch.stack(list(decomposition(z, q, weights)))

    means = []
    for batch in permutations(range(N), size):
        each = torch.func.vmap(partial(parts, q=posterior(list(batch))))(epsilons)
        means.append(masses @ each)
    return torch.stack(means).mean(dim=0).tolist()


@pytest.fixture(scope="module")
def truth():
    return exact()


def analytic_kl():
    unit = torch.distributions.Normal(torch.zeros_like(MEAN), torch.ones_like(MEAN))
    normal = torch.distributions.Normal(MEAN, SCALE)
    return float(torch.distributions.kl_divergence(normal, unit).sum(dim=1).mean())


def test_the_exact_parts_add_up_to_the_kl(truth):
    assert sum(truth) == pytest.approx(analytic_kl(), abs=1e-6)
    assert min(truth) > 0.02


@pytest.mark.parametrize("n_images", [5, 100, 480_000])
@pytest.mark.parametrize("estimator", [weigh_strata, weigh_evenly])
def test_stratified_rows_sum_to_one_and_the_diagonal_is_one_in_n(estimator, n_images):
    weights = estimator(5, n_images)
    torch.testing.assert_close(weights.sum(dim=1), torch.ones(5, dtype=DOUBLE))
    assert (weights.diagonal() == 1 / n_images).all()
    assert (weights > 0).all()


def test_stratified_weights_of_a_batch_of_three_from_ten_by_hand():
    # M = 2 others: one of weight 1/2, one of (10 - 2) / (10 * 2) = 0.4; one's own 0.1.
    rows = [[0.1, 0.4, 0.5], [0.5, 0.1, 0.4], [0.4, 0.5, 0.1]]
    torch.testing.assert_close(weigh_strata(3, 10), torch.tensor(rows, dtype=DOUBLE))


def test_weighted_is_one_over_n_times_m():
    assert torch.equal(weigh_minibatch(4, 100), torch.full((4, 4), 1 / 400, dtype=DOUBLE))


@pytest.mark.parametrize("estimator", [weigh_strata, weigh_evenly])
@pytest.mark.parametrize("size", [2, 3, 5])
def test_stratified_density_is_unbiased_over_all_batches(estimator, size):
    """For every z: the mean over all ordered batches that hold the image of row 0."""
    z = torch.tensor([0.3, -0.5], dtype=DOUBLE)
    each = gaussian(z, MEAN, SCALE).sum(dim=1).exp()
    row = estimator(size, N)[0]
    others = [batch for batch in permutations(range(N), size) if batch[0] == 2]
    estimates = [float(row @ each[list(batch)]) for batch in others]
    assert np.mean(estimates) == pytest.approx(float(each.mean()), rel=1e-12)


def test_even_weights_vary_less():
    z = torch.tensor([0.3, -0.5], dtype=DOUBLE)
    each = gaussian(z, MEAN, SCALE).sum(dim=1).exp()
    batches = [list(batch) for batch in permutations(range(N), 3) if batch[0] == 2]
    spread = {
        name: np.std([float(ESTIMATORS[name](3, N)[0] @ each[batch]) for batch in batches])
        for name in ("even", "stratified")
    }
    assert spread["even"] < spread["stratified"]


def test_even_is_exact_with_the_whole_data_set_as_a_batch(truth):
    found = mean_over_batches("even", N)
    assert found == pytest.approx(truth, abs=1e-3)  # of the quadrature over 14 x 14 nodes


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_information_is_overestimated_since_the_log_of_a_mean_is_a_lower_bound(estimator, truth):
    """And the parts add up to the KL, whatever the estimator."""
    found = mean_over_batches(estimator, 3)
    assert found[0] > truth[0] + 0.05
    assert sum(found) == pytest.approx(analytic_kl(), abs=1e-6)


@pytest.mark.parametrize("estimator", ["stratified", "even"])
def test_stratified_errors_shrink_with_the_batch(estimator, truth):
    errors = [np.abs(np.subtract(mean_over_batches(estimator, size), truth)) for size in (2, 3, 4)]
    assert (errors[1] < errors[0]).all()
    assert (errors[2] < errors[1]).all()


def parts_by_loops(out, weights):
    """Every density from torch.distributions, image by image."""
    normal = torch.distributions.Normal(out.mean, (0.5 * out.log_variance).exp())
    n, d = out.z.shape
    parts = torch.zeros(3, dtype=DOUBLE)
    for i in range(n):
        densities = normal.log_prob(out.z[i]).exp()
        joint = sum(weights[i, j] * densities[j].prod() for j in range(n))
        marginals = [sum(weights[i, j] * densities[j, k] for j in range(n)) for k in range(d)]
        product = torch.stack(marginals).prod()
        prior = torch.distributions.Normal(0.0, 1.0).log_prob(out.z[i]).sum()
        own = densities[i].prod().log()
        parts += torch.stack(
            [own - joint.log(), joint.log() - product.log(), product.log() - prior]
        )
    return parts / n


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_the_loss_is_equation_4_term_by_term(out, by_hand, estimator):
    method = BetaTCVAE(alpha=2.0, beta=3.0, gamma=5.0, estimator=estimator)
    loss = method(out, Context(0, n_images=100))
    mi, tc, wise = parts_by_loops(out, ESTIMATORS[estimator](8, 100))
    torch.testing.assert_close(loss.terms["mutual_information"], mi)
    torch.testing.assert_close(loss.terms["total_correlation"], tc)
    torch.testing.assert_close(loss.terms["dimension_wise_kl"], wise)
    torch.testing.assert_close(loss.total, by_hand[0] + 2 * mi + 3 * tc + 5 * wise)


def test_analytic_kl_is_the_large_studys_objective_up_to_its_constant(out, by_hand, linear):
    """The study: KL + (beta - 1) (log sum_j q(z|n_j) - sum_k log sum_j q(z_k|n_j))."""
    loss = BetaTCVAE(beta=4.0, analytic_kl=True)(out, Context(0, n_images=100))
    each = gaussian(out.z[:, None], out.mean, (0.5 * out.log_variance).exp())
    bare = each.sum(dim=2).logsumexp(dim=1) - each.logsumexp(dim=1).sum(dim=1)
    study = by_hand[0] + by_hand[1].sum(dim=1).mean() + 3 * bare.mean()
    constant = 3 * (3 - 1) * log(8 * 100)  # (beta - 1) (d - 1) log(N M)
    torch.testing.assert_close(loss.total, study + constant)
    parameters = list(linear.parameters())
    ours = torch.autograd.grad(loss.total, parameters, retain_graph=True)
    theirs = torch.autograd.grad(study, parameters)
    for a, b in zip(ours, theirs, strict=True):
        torch.testing.assert_close(a, b)


def test_with_equal_weights_it_is_a_vae_on_average(out):
    loss = BetaTCVAE(beta=1.0)(out, Context(0, n_images=100))
    normal = torch.distributions.Normal(out.mean, (0.5 * out.log_variance).exp())
    sampled = normal.log_prob(out.z) - torch.distributions.Normal(0.0, 1.0).log_prob(out.z)
    kl = loss.total - loss.terms["reconstruction"]
    torch.testing.assert_close(kl, sampled.sum(dim=1).mean())


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_last_batch_of_one_image_is_finite(estimator):
    weights = ESTIMATORS[estimator](1, 100)
    parts = decomposition(MEAN[:1] + 0.1, posterior([0]), weights)
    assert all(torch.isfinite(part) for part in parts)


def test_a_batch_larger_than_the_data_set_is_refused_where_images_must_differ(out):
    with pytest.raises(ValueError, match=r"a batch of 8 is drawn from 5\. Use a smaller"):
        BetaTCVAE(estimator="stratified")(out, Context(0, n_images=5))


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"alpha": -1.0}, "alpha must be a number of at least 0; got -1"),
        ({"beta": float("nan")}, "beta must be a number of at least 0; got nan"),
        ({"gamma": float("inf")}, "gamma must be a number of at least 0; got inf"),
        ({"estimator": "stratify"}, "unknown estimator 'stratify'. Did you mean stratified"),
    ],
)
def test_bad_hyperparameters_are_named(fields, text):
    with pytest.raises(ValueError, match=text):
        BetaTCVAE(**fields)
