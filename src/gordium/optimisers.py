"""The optimisers of the papers, as values."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, final

import torch
from torch.optim import Optimizer

Parameters = Iterable[torch.nn.Parameter]


class OptimiserSettings(Protocol):
    def build(self, parameters: Parameters) -> Optimizer: ...


@final
@dataclass(frozen=True)
class Adam:
    """Adam with the large study's settings; PyTorch's fused step."""

    learning_rate: float = 1e-4
    beta1: float = 0.9
    beta2: float = 0.999
    eps: float = 1e-8

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

    def build(self, parameters: Parameters) -> Optimizer:
        return torch.optim.Adagrad(parameters, lr=self.learning_rate)


@final
@dataclass(frozen=True)
class SGD:
    """Stochastic gradient descent."""

    learning_rate: float = 1e-2
    momentum: float = 0.0

    def build(self, parameters: Parameters) -> Optimizer:
        return torch.optim.SGD(parameters, lr=self.learning_rate, momentum=self.momentum)


OPTIMISERS: dict[str, type[OptimiserSettings]] = {"adam": Adam, "adagrad": AdaGrad, "sgd": SGD}
