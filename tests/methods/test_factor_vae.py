"""FactorVAE: the density-ratio trick, both updates against plain autograd, and their cost."""

from math import log

import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode

from gordium.methods import Batch, Context, FactorVAE, Networks, Size, forward, sample
from gordium.methods.factor_vae import judge, permute_dims

SMALL = FactorVAE(gamma=5.0, depth=3, width=7)


def seeded(seed):
    return torch.Generator().manual_seed(seed)


@pytest.fixture
def networks(linear):
    critic = SMALL.critic(Size(3, (1, 2, 3), 2), seeded(3)).double()
    return Networks(linear, critic)


def step(method, networks, images, *, other=None, updates=None):
    """The losses of a step by name; `updates` are called where the loop makes its updates."""
    found = {}
    for name, loss in method.losses(networks, Batch(images, other=other), Context(0, 8, seeded(4))):
        found[name] = loss
        if updates:
            updates[name](loss)
    return found


def gradients(loss, module):
    return torch.autograd.grad(loss, list(module.parameters()), retain_graph=True)


def assert_all_close(found, expected):
    for a, b in zip(found, expected, strict=True):
        torch.testing.assert_close(a, b)


def test_the_discriminator_has_the_published_number_of_parameters():
    critic = FactorVAE().critic(Size(10, (1, 64, 64), 5), seeded(0))
    assert sum(p.numel() for p in critic.parameters()) == 5_018_002
    leaks = [m.negative_slope for m in critic if isinstance(m, nn.LeakyReLU)]
    assert leaks == [0.2] * 6


def test_its_optimiser_is_the_papers():
    adam = FactorVAE().optimisers["critic"]
    assert (adam.learning_rate, adam.beta1, adam.beta2) == (1e-4, 0.5, 0.9)
    assert FactorVAE().optimisers["model"] is None


def test_permute_dims_shuffles_each_unit_by_itself_with_the_given_chance():
    torch.manual_seed(0)
    before = torch.get_rng_state()
    z = torch.arange(40.0).reshape(10, 4)
    shuffled = permute_dims(z, seeded(0))
    assert torch.equal(before, torch.get_rng_state())
    assert torch.equal(shuffled.sort(dim=0).values, z)
    orders = {tuple((column // 4).int().tolist()) for column in shuffled.T}
    assert len(orders) == 4
    assert torch.equal(shuffled, permute_dims(z, seeded(0)))


def test_all_orders_are_equally_likely():
    draws = 6000
    chance = seeded(0)
    column = torch.arange(3.0)[:, None]
    orders = [tuple(permute_dims(column, chance)[:, 0].tolist()) for _ in range(draws)]
    counts = torch.tensor([orders.count(order) for order in set(orders)])
    assert len(counts) == 6
    # Standard deviation of each count: sqrt(6000 * 5 / 36) = 29.
    assert (counts - draws / 6).abs().max() < 4 * 29


class Optimal(nn.Module):
    """The logits of the best discriminator of two units with correlation rho."""

    def __init__(self, rho):
        super().__init__()
        self.rho = nn.Parameter(torch.tensor(rho, dtype=torch.float64))

    def forward(self, z):
        rho, (a, b) = self.rho, z.T
        rest = 1 - rho**2
        joint = -(a**2 - 2 * rho * a * b + b**2) / (2 * rest) - 0.5 * rest.log()
        return torch.stack([joint, -(a**2 + b**2) / 2], dim=1)


def test_the_best_discriminator_gives_the_total_correlation():
    rho, n = 0.8, 200_000
    white = torch.randn(n, 2, generator=seeded(0), dtype=torch.float64)
    z = white @ torch.tensor([[1.0, rho], [0.0, (1 - rho**2) ** 0.5]], dtype=torch.float64)
    found = judge(Optimal(rho), z.requires_grad_()).log_ratio
    # TC of two Gaussians: -log(1 - rho^2) / 2; the log-ratio's variance is rho^2.
    assert found.item() == pytest.approx(-0.5 * log(1 - rho**2), abs=4 * rho / n**0.5)


def test_both_losses_are_the_papers(networks, images, by_hand, linear):
    other = torch.rand(8, 1, 2, 3, generator=seeded(9), dtype=torch.float64)
    found = step(SMALL, networks, images, other=other)
    noise = seeded(4)
    z = forward(networks, images, noise).z
    shuffled = permute_dims(sample(linear.encode(other), noise), noise)
    log_d = F.log_softmax(networks.critic(z), dim=1)
    log_d_shuffled = F.log_softmax(networks.critic(shuffled), dim=1)
    terms = found["model"].terms
    tc = (log_d[:, 0] - log_d[:, 1]).mean()
    torch.testing.assert_close(terms["total_correlation"], tc)
    expected = terms["reconstruction"] + terms["kl"] + 5 * tc
    torch.testing.assert_close(found["model"].total, expected)
    torch.testing.assert_close(terms["kl"], by_hand[1].sum(dim=1).mean())
    critics = -0.5 * (log_d[:, 0].mean() + log_d_shuffled[:, 1].mean())
    torch.testing.assert_close(found["critic"].total, critics)

    plain = terms["reconstruction"] + terms["kl"] + 5 * tc
    assert_all_close(gradients(found["model"].total, linear), gradients(plain, linear))
    assert_all_close(
        gradients(found["critic"].total, networks.critic), gradients(critics, networks.critic)
    )


def test_a_saturated_discriminator_still_gives_slopes():
    class Sure(nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = nn.Parameter(torch.tensor(200.0))

        def forward(self, z):
            return torch.stack([self.scale * z[:, 0], 0 * z[:, 0]], dim=1)

    # D = sigmoid(200 z) is 1 to the last bit of a float here, and dr/dz is 200.
    z = torch.tensor([[1.0], [3.0]], requires_grad=True)
    judged = judge(Sure(), z)
    slope = torch.autograd.grad(judged.log_ratio, z)[0]
    torch.testing.assert_close(slope, torch.full((2, 1), 100.0))
    assert judged.missed == 0


def test_an_update_leaves_the_other_network_alone(networks, images):
    def backward(module):
        return lambda loss: loss.total.backward(inputs=list(module.parameters()))

    critic = list(networks.critic.parameters())

    def models(loss):
        backward(networks.model)(loss)
        assert all(p.grad is None for p in critic)
        kept.extend(p.grad.clone() for p in networks.model.parameters())

    kept = []
    updates = {"model": models, "critic": backward(networks.critic)}
    step(SMALL, networks, images, other=images, updates=updates)
    assert_all_close(kept, [p.grad for p in networks.model.parameters()])
    assert all(p.grad is not None for p in critic)


def inputs_of(critic):
    seen = []
    critic.register_forward_pre_hook(lambda module, given: seen.append(given[0].detach().clone()))
    return seen


def test_the_second_batch_is_encoded_after_the_models_update(networks, images, linear):
    seen = inputs_of(networks.critic)

    def shift(loss):
        with torch.no_grad():
            linear.encoder[1].bias[:3] += 100.0

    step(SMALL, networks, images, other=images, updates={"model": shift, "critic": lambda _: None})
    assert len(seen) == 2
    assert seen[0].max() < 50
    assert seen[1].min() > 50


def test_one_batch_shuffles_the_samples_that_stand_for_the_joint(networks, images):
    method = FactorVAE(depth=3, width=7, one_batch=True)
    assert not method.second_batch
    assert SMALL.second_batch
    seen = inputs_of(networks.critic)
    step(method, networks, images)
    assert torch.equal(seen[1].sort(dim=0).values, seen[0].sort(dim=0).values)
    assert not torch.equal(seen[1], seen[0])


class Products(TorchDispatchMode):
    """Counts the multiplications of matrix products."""

    count = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func in (torch.ops.aten.mm.default, torch.ops.aten.addmm.default):
            a, b = args[-2:]
            self.count += a.shape[0] * a.shape[1] * b.shape[1]
        return func(*args, **(kwargs or {}))


def test_a_step_makes_no_product_of_the_discriminator_twice():
    method = FactorVAE(depth=3, width=50)
    n, d, width = 8, 3, 50
    critic = method.critic(Size(d, (1, 2, 3), 2), seeded(3)).double()
    z = torch.randn(n, d, generator=seeded(0), dtype=torch.float64, requires_grad=True)
    with Products() as counter:
        judged = judge(critic, z)
        shuffled = critic(permute_dims(z.detach(), seeded(1)))
        torch.autograd.grad(judged.log_ratio, z)
        critics = judged.missed + shuffled.sum()
        torch.autograd.grad(critics, list(critic.parameters()))
    layers = [d * width, width * width, width * width, width * 2]
    # Forward, to the inputs and to the weights, for z and for z'; z' itself needs no gradient.
    products = 6 * sum(layers) - layers[0]
    assert counter.count == n * products


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"gamma": float("inf")}, "gamma must be a number of at least 0; got inf"),
        ({"depth": 0}, "depth must be a whole number of at least 1; got 0"),
        ({"width": float("inf")}, "width must be a whole number of at least 1; got inf"),
        ({"width": 0.5}, "width must be a whole number of at least 1; got 0.5"),
        ({"learning_rate": -1.0}, "learning_rate must be a number of at least 0; got -1"),
    ],
)
def test_bad_hyperparameters_are_named(fields, text):
    with pytest.raises(ValueError, match=text):
        FactorVAE(**fields)


def test_losses_without_a_critic_say_so(linear, images):
    with pytest.raises(ValueError, match="needs a critic among the networks"):
        next(SMALL.losses(Networks(linear), Batch(images), Context(0, 8, seeded(0))))
