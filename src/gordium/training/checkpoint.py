"""The state of a training as tensors in one safetensors file, enough to resume bit for bit.

Each file holds a checksum of its content, which every load verifies: a flipped bit is an error.
"""

import hashlib
import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TypedDict, cast

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Generator, Tensor, nn
from torch.optim import Optimizer

from gordium.files import sha256, write_bytes
from gordium.history import STATED  # the key of the metadata

Part = nn.Module | Optimizer | Generator
Tensors = dict[str, Tensor]


class Stated(TypedDict, total=False):
    """What a tensor file states of itself, a checkpoint all of it."""

    step: int
    names: list[str]
    kernels: str
    build: str
    history: str


OLD = {"step", "names"}  # the keys of the metadata before there was a checksum
UNCHECKED = (
    "{path} was written by a version before 0.2, without a checksum: it is used unchecked. "
    "Train again, or add one with gordium.training.add_checksum, to have it checked."
)


def tensors_of(parts: Mapping[str, Part]) -> Tensors:
    """The state of all parts by flat names: `part.key`, or `part.parameter.key` in optimisers."""
    return {
        f"{name}.{key}": tensor.detach().cpu().contiguous()
        for name, part in parts.items()
        for key, tensor in _state_of(part).items()
    }


def restore(parts: Mapping[str, Part], tensors: Tensors) -> None:
    """Put a state that `tensors_of` returned into parts that were built the same way."""
    for name, part in parts.items():
        prefix = f"{name}."
        state = {k.removeprefix(prefix): t for k, t in tensors.items() if k.startswith(prefix)}
        if isinstance(part, Generator):
            part.set_state(state["state"])
        elif isinstance(part, Optimizer):
            _restore_optimiser(part, state)
        else:
            part.load_state_dict(state)


def save_tensors(path: Path, tensors: Tensors, **metadata: object) -> None:
    """Write tensors and JSON metadata with their checksum, whole or not at all.

    All metadata is one text, since the order of several texts differs between processes.
    """
    stated = {"identity": hashlib.sha256(save(tensors, metadata={})).hexdigest(), **metadata}
    text = json.dumps({"checksum": checksum(tensors, stated), **stated})
    write_bytes(path, save(tensors, metadata={STATED: text}))


def load_tensors(path: Path) -> tuple[Tensors, Stated]:
    """Read what `save_tensors` wrote; a damaged file is a ValueError. No code is ever run."""
    try:
        tensors, text = _read(path)
        stated = json.loads(text[STATED]) if STATED in text else None
        if stated is None:
            warnings.warn(UNCHECKED.format(path=path), stacklevel=2)
            return tensors, cast(Stated, {key: json.loads(text[key]) for key in text})
        if stated.pop("checksum") != checksum(tensors, stated):
            raise ValueError("its content does not match its checksum")
        del stated["identity"]
    except (SafetensorError, ValueError, KeyError, AttributeError, OverflowError) as error:
        raise ValueError(
            f"{path} is damaged or not a safetensors file ({error}). Delete it and start again: "
            "the run resumes from its other files, or else from the beginning."
        ) from error
    return tensors, stated


def add_checksum(path: Path) -> None:
    """Add a checksum to a tensor file of an earlier version; its identity stays the same."""
    tensors, text = _read(path)
    if STATED not in text:
        save_tensors(path, tensors, **{key: json.loads(value) for key, value in text.items()})


def identity_of(path: Path) -> str:
    """A hash of a tensor file's content, which adding a checksum does not change."""
    with safe_open(path, framework="pt") as file:
        text = (file.metadata() or {}).get(STATED)
    return sha256(path) if text is None else str(json.loads(text)["identity"])


def checksum(tensors: Tensors, stated: Mapping[str, object]) -> str:
    """SHA-256 of names, types, shapes and bytes of all tensors, and of the metadata."""
    total = hashlib.sha256(json.dumps(dict(stated), sort_keys=True).encode())
    for name, tensor in sorted(tensors.items()):
        total.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        total.update(tensor.contiguous().flatten().view(torch.uint8).numpy().tobytes())
    return total.hexdigest()


def _read(path: Path) -> tuple[Tensors, dict[str, str]]:
    with safe_open(path, framework="pt") as file:
        text = dict(file.metadata() or {})
        if text and STATED not in text and not OLD.issuperset(text):
            raise ValueError("its metadata is not what was written")
        return {key: file.get_tensor(key) for key in file.keys()}, text  # noqa: SIM118


def _state_of(part: Part) -> Tensors:
    if isinstance(part, Generator):
        return {"state": part.get_state()}
    if isinstance(part, Optimizer):
        states = part.state_dict()["state"]
        return {f"{i}.{key}": t for i, state in states.items() for key, t in state.items()}
    return part.state_dict()


def _restore_optimiser(optimiser: Optimizer, flat: Tensors) -> None:
    states: dict[int, Tensors] = {}
    for name, tensor in flat.items():
        index, key = name.split(".")
        states.setdefault(int(index), {})[key] = tensor
    groups = optimiser.state_dict()["param_groups"]
    optimiser.load_state_dict({"state": states, "param_groups": groups})
    for parameter, state in optimiser.state.items():
        for key, tensor in state.items():
            if tensor.shape == parameter.shape:
                # Fused steps need the memory layout of the parameter, which files do not keep.
                state[key] = torch.empty_like(parameter).copy_(tensor)
