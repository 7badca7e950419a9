"""Faster but less exact training: networks in mixed precision, or compiled by PyTorch."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import torch
from torch import nn

from gordium.networks.direct import use_pytorch_alone
from gordium.spec import Settings

BACKEND = "inductor"


def is_accelerated(settings: Settings) -> bool:
    """Whether the settings give up exactness for speed."""
    return settings.precision != "float32" or settings.compiled


@contextmanager
def accelerate(
    modules: Sequence[nn.Module], settings: Settings, device: torch.device
) -> Iterator[None]:
    """Let the networks compute as the settings say in the block; they are restored after it.

    In `bfloat16`, matrix products and convolutions have 8 significant bits instead of 24; weights,
    losses and updates stay float32. Compiled networks round differently, depending on the machine.
    So both settings are part of a run's key. The direct kernels are then not used.
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
    """Let `forward` compute in bfloat16 where that is safe, and return float32."""

    def in_half(*inputs: Any) -> Any:
        with torch.autocast(device.type, torch.bfloat16):
            return forward(*inputs).float()

    return in_half
