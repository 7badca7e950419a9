"""check_method: each broken method fails with the right sentence."""

import random
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
import torch
from torch import nn

import gordium.testing
from gordium.methods import Method, forward, weighted_sum
from gordium.methods.terms import mean_kl, reconstruction
from gordium.networks import build
from gordium.optimisers import Adam
from gordium.testing import check_method


@dataclass(frozen=True, kw_only=True)
class Mine(Method):
    """A user's method that is as it should be, with options that JSON turns into lists."""

    weights: tuple[float, ...] = (1.0, 2.0)

    def __call__(self, out, context):
        rec, kl = self.weights
        return weighted_sum(reconstruction=(rec, reconstruction(out)), kl=(kl, mean_kl(out)))


def test_a_users_method_passes_and_the_global_state_stays():
    before = torch.get_rng_state(), random.getstate()
    check_method(Mine())
    assert torch.equal(before[0], torch.get_rng_state())
    assert before[1] == random.getstate()


def total(out, extra=0.0):
    return weighted_sum(reconstruction=(1.0, reconstruction(out)), kl=(1.0, mean_kl(out) + extra))


class Plain(Method):
    def __call__(self, out, context):
        return total(out)


@dataclass(frozen=True, kw_only=True)
class NotJson(Method):
    scale: torch.dtype = torch.float32

    def __call__(self, out, context):
        return total(out)


@dataclass(frozen=True, kw_only=True)
class Forgetful(Method):
    """Comes back from JSON with another value."""

    beta: float = 3.0

    def __post_init__(self):
        object.__setattr__(self, "beta", self.beta + 1)

    def __call__(self, out, context):
        return total(out)


@dataclass(frozen=True)
class GlobalNoise(Method):
    """Draws from PyTorch's global generator."""

    def __call__(self, out, context):
        return total(out, 0.001 * torch.rand(()))


@dataclass(frozen=True)
class NumpyNoise(Method):
    def __call__(self, out, context):
        return total(out, 0.001 * float(np.random.rand()))  # noqa: NPY002


@dataclass(frozen=True)
class Counting(Method):
    """Keeps a counter, which neither a second run nor a resumed one finds as it was."""

    count: ClassVar[list[int]] = []

    def __call__(self, out, context):
        self.count.append(1)
        return total(out, 0.1 * len(self.count) * mean_kl(out))


@dataclass(frozen=True)
class FreshCounting(Method):
    """Begins again with each run, so only resuming finds it out."""

    count: ClassVar[list[int]] = []

    def parts(self, latent_dim, weights):
        self.count.clear()

    def __call__(self, out, context):
        self.count.append(1)
        return total(out, 0.1 * len(self.count) * mean_kl(out))


@dataclass(frozen=True)
class Infinite(Method):
    def __call__(self, out, context):
        return weighted_sum(
            reconstruction=(1.0, reconstruction(out)), bad=(0.0, 1e39 + out.z[0, 0])
        )


@dataclass(frozen=True)
class Vector(Method):
    def __call__(self, out, context):
        loss = total(out)
        return loss._replace(terms={**loss.terms, "means": out.mean.mean(dim=0)})


@dataclass(frozen=True)
class NoDecoder(Method):
    """Says that it trains the model, and leaves the decoder out."""

    def __call__(self, out, context):
        return weighted_sum(kl=(1.0, mean_kl(out)))


@dataclass(frozen=True)
class IdleCritic(Method):
    """Its critic's loss reaches one layer of two."""

    @property
    def optimisers(self):
        return {"model": None, "critic": Adam()}

    def critic(self, size, weights):
        return build(lambda: nn.ModuleList(nn.Linear(size.latent_dim, 2) for _ in "ab"), weights)

    def losses(self, networks, batch, context):
        out = forward(networks, batch.x, context.noise)
        yield "model", total(out)
        yield (
            "critic",
            weighted_sum(judged=(1.0, networks.critic[1](out.z.detach()).square().sum())),
        )


@dataclass(frozen=True)
class Rising(Method):
    def __call__(self, out, context):
        return total(out, 100.0 * context.step)


@pytest.mark.parametrize(
    ("method", "sentence"),
    [
        (Plain(), "Plain is not a frozen dataclass"),
        (NotJson(), "NotJson is not made again from its fields as JSON: .*dtype"),
        (Forgetful(), r"Forgetful comes back from JSON as Forgetful\(beta=5.0\); it was"),
        (GlobalNoise(), "GlobalNoise draws from a global generator"),
        (NumpyNoise(), "NumpyNoise draws from a global generator"),
        (Counting(), "Counting does not repeat itself: the same seed ends in another"),
        (FreshCounting(), "FreshCounting does not go on after a cut: it ends in another"),
        (Infinite(), "Infinite gives the term 'bad' that is inf in the first step"),
        (Vector(), "Vector gives the term 'means', which must be a tensor of one number"),
        (NoDecoder(), r"NoDecoder gives no gradient to model\.decoder\..* of its model-optimiser"),
        (IdleCritic(), r"to critic\.0\.weight, critic\.0\.bias of its critic-optimiser"),
        (Rising(), "Rising does not train: 'loss' goes from .* to"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Method) else "",
)
def test_a_broken_method_fails_with_what_is_broken(method, sentence):
    with pytest.raises(AssertionError, match=sentence):
        check_method(method)


def test_another_term_may_be_the_one_that_falls():
    check_method(Rising(), falls="reconstruction")
    check_method(Rising(), falls=None)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'check_nothing'"):
        gordium.testing.check_nothing  # noqa: B018
