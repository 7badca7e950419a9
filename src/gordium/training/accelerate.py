"""Faster and less exact training: networks in mixed precision, or compiled by PyTorch."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import torch
from torch import nn

from gordium.networks.direct import use_pytorch_alone
from gordium.spec import Settings

BACKEND = "inductor"


def is_accelerated(settings: Settings) -> bool:
    """Whether exactness is given up for speed."""
    return settings.precision != "float32" or settings.compiled


@contextmanager
def accelerate(
    modules: Sequence[nn.Module], settings: Settings, device: torch.device
) -> Iterator[None]:
    """Let the networks compute as the settings say; afterwards they are as they were.

    In `bfloat16`, matrix products and convolutions have 8 significant bits instead of 24; weights,
    losses and updates stay float32. Compiled networks round otherwise, and by what the compiler
    makes of them on this machine. So both are declared, and name another run. All that is computed
    is then PyTorch's; the direct kernels are for exact training.
    """
    half = settings.precision == "bfloat16"
    for module in modules:
        if half:
            module.forward = _halve(module.forward, device)
        if settings.compiled:
            module.compile(backend=BACKEND)
    try:
        with use_pytorch_alone() if is_accelerated(settings) else nullcontext():
            yield
    finally:
        for module in modules:
            if half:
                del module.forward
            module._compiled_call_impl = None


def _halve(forward: Callable[..., Any], device: torch.device) -> Callable[..., Any]:
    """Computes in bfloat16 where that is safe, and gives float32."""

    def in_half(*inputs: Any) -> Any:
        with torch.autocast(device.type, torch.bfloat16):
            return forward(*inputs).float()

    return in_half
