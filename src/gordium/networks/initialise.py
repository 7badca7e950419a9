"""Initial weights from the caller's generator: no global random state is read."""

from collections.abc import Callable

import torch
from torch import Generator, nn

from gordium.lookup import pick

Make = Callable[[], nn.Module]


def build(make: Make, generator: Generator, initial: str = "glorot") -> nn.Module:
    """Build a network on the CPU; how its weights start is one of `INITIAL`."""
    return pick("initial", initial, INITIAL)(make, generator)


def start_by_glorot(make: Make, generator: Generator) -> nn.Module:
    """Build a network with Glorot-uniform weights and zero biases, as the large study.

    Buffers, and parameters of fewer than two axes such as the scale of a norm, keep the values
    that their layers give them.
    """
    module = _make_from(0, make)
    for name, parameter in module.named_parameters():
        if name.endswith("bias"):
            nn.init.zeros_(parameter)
        elif parameter.dim() >= 2:
            nn.init.xavier_uniform_(parameter, generator=generator)
    return module


def start_by_torch(make: Make, generator: Generator) -> nn.Module:
    """Build a network whose layers start as PyTorch makes them (Stühmer et al. 2020, A.4)."""
    return _make_from(int(torch.randint(2**62, (), generator=generator)), make)


def _make_from(seed: int, make: Make) -> nn.Module:
    """Make a network whose layers draw from this seed; the global generator is left as it was."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return make()


INITIAL = {"glorot": start_by_glorot, "torch": start_by_torch}
