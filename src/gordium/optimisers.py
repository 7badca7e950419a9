"""The optimisers that the papers use, as values."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, final

import torch
from torch.optim import Optimizer

from gordium.checks import check_positive

Parameters = Iterable[torch.nn.Parameter]


class OptimiserSettings(Protocol):
    """A frozen dataclass with the settings of an optimiser."""

    def build(self, parameters: Parameters) -> Optimizer:
        """A new optimiser of these parameters."""


@final
@dataclass(frozen=True)
class Adam:
    """Adam with the settings of the large study (Locatello et al. 2019); fused steps."""

    learning_rate: float = 1e-4
    beta1: float = 0.9
    beta2: float = 0.999
    eps: float = 1e-8

    def __post_init__(self) -> None:
        check_positive(learning_rate=self.learning_rate, eps=self.eps)
        _check_share(beta1=self.beta1, beta2=self.beta2)

    def build(self, parameters: Parameters) -> Optimizer:
        betas = (self.beta1, self.beta2)
        return torch.optim.Adam(
            parameters, lr=self.learning_rate, betas=betas, eps=self.eps, fused=True
        )


@final
@dataclass(frozen=True)
class AdaGrad:
    """AdaGrad with the rate of Rolinek et al. 2019, Table S3."""

    learning_rate: float = 1e-2

    def __post_init__(self) -> None:
        check_positive(learning_rate=self.learning_rate)

    def build(self, parameters: Parameters) -> Optimizer:
        return torch.optim.Adagrad(parameters, lr=self.learning_rate)


@final
@dataclass(frozen=True)
class SGD:
    """Stochastic gradient descent."""

    learning_rate: float = 1e-2
    momentum: float = 0.0

    def __post_init__(self) -> None:
        check_positive(learning_rate=self.learning_rate)
        _check_share(momentum=self.momentum)

    def build(self, parameters: Parameters) -> Optimizer:
        return torch.optim.SGD(parameters, lr=self.learning_rate, momentum=self.momentum)


def _check_share(**values: float) -> None:
    for name, value in values.items():
        if not 0 <= value < 1:
            raise ValueError(f"{name} must be at least 0 and below 1; got {value}.")


OPTIMISERS: dict[str, type[OptimiserSettings]] = {"adam": Adam, "adagrad": AdaGrad, "sgd": SGD}
