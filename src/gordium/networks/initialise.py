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

    It is made without storage first, so that PyTorch draws no weights of its own. A network with
    buffers or scales, such as those of norms, is then made again with their values.
    """
    with torch.device("meta"):
        module = make()
    if any(True for _ in module.buffers()) or any(
        _is_kept(*named) for named in module.named_parameters()
    ):
        module = _make_in_full(make, seed=0)
    else:
        module = module.to_empty(device="cpu")
    for name, parameter in module.named_parameters():
        if name.endswith("bias"):
            nn.init.zeros_(parameter)
        elif not _is_kept(name, parameter):
            nn.init.xavier_uniform_(parameter, generator=generator)
    return module


def start_by_torch(make: Make, generator: Generator) -> nn.Module:
    """Build a network whose layers start as PyTorch makes them (Stühmer et al. 2020, A.4)."""
    return _make_in_full(make, seed=int(torch.randint(2**62, (), generator=generator)))


def _is_kept(name: str, parameter: nn.Parameter) -> bool:
    """Whether a parameter keeps its layer's initial value, as the scale of a norm does."""
    return parameter.dim() < 2 and not name.endswith("bias")


def _make_in_full(make: Make, *, seed: int) -> nn.Module:
    """Make the module with its own values; the global generator is left as it was."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return make()


INITIAL = {"glorot": start_by_glorot, "torch": start_by_torch}
