"""Weights from a generator of the caller's; building a network reads no global random state."""

from collections.abc import Callable

import torch
from torch import Generator, nn


def build(make: Callable[[], nn.Module], generator: Generator) -> nn.Module:
    """A network on the CPU with Glorot-uniform weights and zero biases, as the large study's.

    It is made without storage first, so that PyTorch draws no weights of its own; one that has
    buffers or scales, as norms have, is then made in full.
    """
    with torch.device("meta"):
        module = make()
    if any(True for _ in module.buffers()) or any(
        _is_kept(*named) for named in module.named_parameters()
    ):
        module = _make_in_full(make)
    else:
        module = module.to_empty(device="cpu")
    for name, parameter in module.named_parameters():
        if name.endswith("bias"):
            nn.init.zeros_(parameter)
        elif not _is_kept(name, parameter):
            nn.init.xavier_uniform_(parameter, generator=generator)
    return module


def _is_kept(name: str, parameter: nn.Parameter) -> bool:
    """The scales of norms are not matrices: they start as their layer says."""
    return parameter.dim() < 2 and not name.endswith("bias")


def _make_in_full(make: Callable[[], nn.Module]) -> nn.Module:
    """With the values of its buffers and scales; the global generator is left as it was."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return make()
