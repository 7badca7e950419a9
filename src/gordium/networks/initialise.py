"""Initial weights from the caller's generator: no global random state is read."""

from collections.abc import Callable

import torch
from torch import Generator, nn


def build(make: Callable[[], nn.Module], generator: Generator) -> nn.Module:
    """Build a network on the CPU with Glorot-uniform weights and zero biases, as the large study.

    It is made without storage first, so that PyTorch draws no weights of its own. A network with
    buffers or scales, such as those of norms, is then made again with their values.
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
    """Whether a parameter keeps its layer's initial value, as the scale of a norm does."""
    return parameter.dim() < 2 and not name.endswith("bias")


def _make_in_full(make: Callable[[], nn.Module]) -> nn.Module:
    """Make the module with its own values; the global generator is left as it was."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return make()
