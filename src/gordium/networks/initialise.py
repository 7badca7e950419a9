"""Weights from a generator of the caller's; building a network reads no global random state."""

from collections.abc import Callable

import torch
from torch import Generator, nn


def build(make: Callable[[], nn.Module], generator: Generator) -> nn.Module:
    """A network on the CPU with Glorot-uniform weights and zero biases, as the large study's.

    It is made without storage first, so that PyTorch draws no weights of its own.
    """
    with torch.device("meta"):
        module = make()
    module = module.to_empty(device="cpu")
    for name, parameter in module.named_parameters():
        if name.endswith("bias"):
            nn.init.zeros_(parameter)
        else:
            nn.init.xavier_uniform_(parameter, generator=generator)
    return module
