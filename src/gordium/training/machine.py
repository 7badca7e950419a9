"""The machine a run is on: its device, its threads and its allocator."""

import ctypes
import os
import platform
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple, TypedDict

import torch
from torch import nn

from gordium.networks import kernels
from gordium.networks._calls import is_flushing
from gordium.networks._native import PYTORCH as PYTORCH
from gordium.networks._native import SWITCH as SWITCH
from gordium.networks.direct import has_direct_layers, is_pytorch_alone, takes_batch
from gordium.progress import DEVICES
from gordium.spec import Settings

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_MADV_HUGEPAGE, _PAGE = 14, 4096
_BLOCK, _BLOCKS = 1 << 24, 32  # bytes that are asked for at once, and how often


class Machine(TypedDict, total=False):
    """What a run's config says about the machine."""

    device: str
    threads: int
    kernels: str
    build: str


class Used(NamedTuple):
    """The kernels of a run, and their build, which is empty for PyTorch's."""

    kernels: str
    build: str = ""


def pick_device(name: str = "auto") -> torch.device:
    """Return the named device; `auto` is the best that is available: CUDA, Apple's MPS or the CPU.

    Where GORDIUM_DEVICES is set, as in a study's workers, `auto` is the first device it names.
    """
    found = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    name = os.environ.get(DEVICES, "").partition(",")[0] or name if name == "auto" else name
    if name == "auto":
        return torch.device(next(kind for kind, is_there in found.items() if is_there))
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise ValueError(f"unknown device {name!r}; use auto, cpu, cuda, cuda:0 or mps.") from error
    if not found.get(device.type, False):
        there = ", ".join(kind for kind, is_there in found.items() if is_there)
        raise ValueError(f"device {name!r} is not available here; there is {there}.")
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        n = torch.cuda.device_count()
        raise ValueError(
            f"device {name!r} is not available here; there are cuda:0 to cuda:{n - 1}."
        )
    return device


@contextmanager
def flush_denormals() -> Iterator[None]:
    """Let this thread count floats below 1e-38 as zero in the block, where the processor can.

    A decoder that is sure of an empty background has gradients of that size in most pixels, and
    with them some processors compute six times as slowly. Weights are too large to notice.
    Threads of the direct kernels do the same in each call. Those of PyTorch keep for good what
    held when they were started, in PyTorch's first work on several threads: with more than one,
    last bits may depend on what came before. The workers of a study have one thread.
    """
    was = is_flushing()
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(was)


def keep_freed_memory() -> None:
    """Ask glibc to keep freed memory, and the system to give it in large pages.

    Each training step allocates and frees the same large blocks. By default glibc returns them
    to the system at every step, and the page faults cost a quarter of the time; small pages cost
    a few percent of the rest. Without glibc, nothing is done.
    """
    if sys.platform != "linux" or platform.libc_ver()[0] != "glibc":
        return
    libc = ctypes.CDLL(None)
    # Some versions of glibc refuse a threshold above 32 MB.
    if libc.mallopt(_M_MMAP_THRESHOLD, 1 << 30) or libc.mallopt(_M_MMAP_THRESHOLD, 1 << 25):
        libc.mallopt(_M_TRIM_THRESHOLD, 1 << 30)
        _ask_for_large_pages(libc)


@cache
def _ask_for_large_pages(libc: ctypes.CDLL) -> None:
    """Mark what glibc will hand out next; memory that is never touched stays unused."""
    libc.malloc.restype = ctypes.c_void_p
    libc.malloc.argtypes = [ctypes.c_size_t]
    libc.free.argtypes = [ctypes.c_void_p]
    libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    blocks = [libc.malloc(_BLOCK) for _ in range(_BLOCKS)]
    for block in filter(None, blocks):
        start = -(-block // _PAGE) * _PAGE
        libc.madvise(start, block + _BLOCK - start, _MADV_HUGEPAGE)
    for block in reversed(blocks):
        libc.free(block)


def batches_of(settings: Settings, n_images: int) -> tuple[int, ...]:
    """The sizes of a run's batches; in whole passes over the images the last one is smaller."""
    rest = n_images % settings.batch_size
    return (settings.batch_size, rest) if settings.epochs is not None else (settings.batch_size,)


def kernels_on(
    device: torch.device, networks: Iterable[nn.Module], batches: Sequence[int] = ()
) -> Used:
    """The kernels of a run on the device: `torch`, or the direct ones with their source's hash.

    They sum in different orders, so the last bits of a result depend on them. If they take none of
    the batches or no layer of the networks, `(losses)` says that they do the losses alone.
    """
    found = kernels()
    if device.type != "cpu" or is_pytorch_alone() or found.library is None:
        return Used(PYTORCH)
    takes_some = not batches or any(map(takes_batch, batches))
    convolves = takes_some and any(map(has_direct_layers, networks))
    return Used(found.name if convolves else f"{found.name} (losses)", found.build)


def machine_of(device: torch.device) -> Machine:
    """The device and the threads of a run; its kernels are noted when its networks are built."""
    return {"device": str(device), "threads": torch.get_num_threads()}
