"""What a method is: named, unweighted terms of one forward pass, and their weights."""

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

import torch
from torch import Generator, Tensor

from gordium.networks import Autoencoder


class Forward(NamedTuple):
    """One pass through a model: images in [0, 1], their posterior, a sample, the output."""

    x: Tensor
    mean: Tensor
    log_variance: Tensor
    z: Tensor
    output: Tensor
    model: Autoencoder


class Context(NamedTuple):
    """What an objective may depend on besides the pass itself."""

    step: int


class Loss(NamedTuple):
    """What is minimised, and the unweighted terms that it is made of."""

    total: Tensor
    terms: dict[str, Tensor]


class Method(ABC):
    """An objective: a frozen dataclass of hyperparameters with one call.

    It owns no network, optimiser or counter. `stochastic` says whether the decoder is fed with
    samples of the posterior or with its means.
    """

    stochastic: ClassVar[bool] = True

    @abstractmethod
    def __call__(self, out: Forward, context: Context) -> Loss: ...


def weighted_sum(**terms: tuple[float, Tensor]) -> Loss:
    """The loss made of `name=(weight, value)`; the values are reported without their weights."""
    total = sum(weight * value for weight, value in terms.values())
    return Loss(torch.as_tensor(total), {name: value for name, (_, value) in terms.items()})


def forward(model: Autoencoder, x: Tensor, noise: Generator | None) -> Forward:
    """Encode, sample z = mu + sigma * eps (or take the means where `noise` is None), decode."""
    mean, log_variance = model.encode(x)
    z = mean if noise is None else sample(mean, log_variance, noise)
    return Forward(x, mean, log_variance, z, model.decoder(z), model)


def sample(mean: Tensor, log_variance: Tensor, noise: Generator) -> Tensor:
    """z ~ N(mean, diag exp(log_variance)), reparametrised."""
    epsilon = torch.randn(mean.shape, generator=noise, device=mean.device, dtype=mean.dtype)
    return torch.addcmul(mean, (0.5 * log_variance).exp(), epsilon)
