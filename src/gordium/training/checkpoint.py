"""The state of a training, as tensors in one safetensors file: enough to go on bit for bit."""

import json
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Generator, Tensor, nn
from torch.optim import Optimizer

from gordium.files import write_bytes

Part = nn.Module | Optimizer | Generator
Tensors = dict[str, Tensor]


def tensors_of(parts: Mapping[str, Part]) -> Tensors:
    """The state of all parts under flat names: `part.key`, `part.parameter.key` in optimisers."""
    return {
        f"{name}.{key}": tensor.detach().cpu().contiguous()
        for name, part in parts.items()
        for key, tensor in _state_of(part).items()
    }


def restore(parts: Mapping[str, Part], tensors: Tensors) -> None:
    """Put the state that `tensors_of` gave back into parts built the same way."""
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
    """Write tensors and JSON metadata, whole or not at all."""
    text = {key: json.dumps(value) for key, value in metadata.items()}
    write_bytes(path, save(tensors, metadata=text))


def load_tensors(path: Path) -> tuple[Tensors, dict[str, object]]:
    """What `save_tensors` wrote. A damaged file is an error that says so; no code is ever run."""
    try:
        with safe_open(path, framework="pt") as file:
            metadata = {key: json.loads(text) for key, text in (file.metadata() or {}).items()}
            return {key: file.get_tensor(key) for key in file.keys()}, metadata  # noqa: SIM118
    except (SafetensorError, ValueError) as error:
        raise ValueError(
            f"{path} is damaged or not a safetensors file ({error}). Delete it and start again."
        ) from error


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


def all_finite(tensors: Tensors) -> bool:
    return all(bool(torch.isfinite(t).all()) for t in tensors.values() if t.is_floating_point())
