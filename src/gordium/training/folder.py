"""A run's folder: claiming it for a declaration, and its config and weights."""

from pathlib import Path
from typing import TypedDict, cast

from torch import nn

from gordium._version import versions
from gordium.fields import Declaration
from gordium.files import read_sealed, write_sealed
from gordium.history import HISTORY, MODEL, Row, history_digest, read_history, write_history
from gordium.spec.key import canonical, declaration_hash
from gordium.track.base import flatten
from gordium.training.checkpoint import load_tensors, restore, save_tensors, tensors_of
from gordium.training.machine import Machine, Used

CONFIG, CHECKPOINT = "config.json", "checkpoint.safetensors"
_BEFORE = ("hash", "declaration", "versions", "machine")  # a config's fields before the checksum
__all__ = ["CHECKPOINT", "CONFIG", "HISTORY", "MODEL", "Row", "read_history", "write_history"]


class Config(TypedDict, total=False):
    """What `config.json` holds; a run that is in memory alone has a declaration only."""

    hash: str
    declaration: Declaration
    versions: dict[str, str]
    machine: Machine


def claim(folder: Path, declaration: Declaration, *, machine: Machine | None = None) -> None:
    """Write the declaration into a new folder; refuse a folder that holds another one."""
    if not (folder / CONFIG).exists():
        _refuse_strangers(folder)
        config = {
            "hash": declaration_hash(declaration),
            "declaration": declaration,
            "versions": versions(),
            "machine": machine or {},
        }
        write_sealed(folder / CONFIG, config)
        return
    held = read_config(folder)["declaration"]
    if declaration_hash(held) != declaration_hash(declaration):
        raise ValueError(
            f"{folder} holds another run, which differs in {_differences(held, declaration)}. "
            "Choose another folder, or delete this one."
        )


def read_config(folder: Path, kind: str | None = None) -> Config:
    """Read the folder's config; with `kind` (run, manipulation...), refuse any other kind."""
    if not (folder / CONFIG).is_file():
        raise FileNotFoundError(
            f"{folder} is not {_with_article(kind or 'run')}: it has no {CONFIG}."
        )
    config = read_sealed(folder / CONFIG, _BEFORE)
    declaration = config.get("declaration")
    found = declaration.get("kind") if isinstance(declaration, dict) else None
    if not isinstance(found, str) or not found:
        raise ValueError(f"{folder / CONFIG} is damaged: it holds no declaration.")
    if kind is not None and found != kind:
        raise ValueError(f"{folder} holds {_with_article(found)}, not {_with_article(kind)}.")
    return cast(Config, config)


def note_kernels(folder: Path, used: Used, step: int) -> None:
    """Note in the config, if there is one, that these kernels were used from that step on."""
    if not (folder / CONFIG).exists():
        return
    config = read_config(folder)
    machine = config.setdefault("machine", {})
    kernels, build = used
    if step > 0:
        kernels = _continue(machine.get("kernels", "torch"), kernels, step)
        build = _continue(machine.get("build", ""), build, step)
    machine["kernels"] = kernels
    machine.pop("build", None)
    if build:
        machine["build"] = build
    write_sealed(folder / CONFIG, config)


def _continue(before: str, after: str, step: int) -> str:
    """What was used before and from that step on; what is noted already is not said twice.

    A run may be killed between such a note and its next checkpoint.
    """
    text = f", from step {step} {after or 'none'}"
    return before if before == after or before.endswith(text) else f"{before or 'unstated'}{text}"


def save_finished(folder: Path, part: str, module: nn.Module, history: list[Row]) -> None:
    """Write the history and the weights of what was trained, and remove the checkpoint."""
    write_history(folder, history)
    tensors = tensors_of({part: module})
    if part == "model":  # the file of a run has names that `load_state_dict` takes
        tensors = {name.removeprefix("model."): tensor for name, tensor in tensors.items()}
    save_tensors(folder / MODEL, tensors, history=history_digest(history))
    (folder / CHECKPOINT).unlink(missing_ok=True)


def is_finished(folder: Path) -> bool:
    """Whether the weights are there; if so, a checkpoint that a kill left over is removed."""
    if not (folder / MODEL).exists():
        return False
    (folder / CHECKPOINT).unlink(missing_ok=True)
    return True


def load_finished(folder: Path, part: str, module: nn.Module) -> None:
    """Put the weights that `save_finished` wrote into a module that was built the same way."""
    if not (folder / MODEL).exists():
        raise FileNotFoundError(
            f"the {part} in {folder} is not finished: it has no {MODEL}. Start it again."
        )
    tensors = load_tensors(folder / MODEL)[0]
    if not any(name.startswith(f"{part}.") for name in tensors):
        tensors = {f"{part}.{name}": tensor for name, tensor in tensors.items()}
    try:
        restore({part: module}, tensors)
    except RuntimeError as error:  # PyTorch lists every tensor that does not fit
        raise ValueError(
            f"{folder / CONFIG} does not describe the weights in {MODEL} beside it: "
            f"{str(error).splitlines()[1].strip()} One of the two files is damaged or belongs to "
            f"another {part}; train it again in a new folder."
        ) from error


def _with_article(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeio" else f"a {kind}"


def _refuse_strangers(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file; give a folder for the run.")
    if folder.exists() and any(not file.name.startswith(".") for file in folder.iterdir()):
        raise ValueError(f"{folder} holds other files and no run; choose an empty or new folder.")


def _differences(held: Declaration, asked: Declaration) -> str:
    a, b = flatten(canonical(held)), flatten(canonical(asked))
    keys = [key for key in {**a, **b} if a.get(key) != b.get(key)]
    parts = [f"{key} ({a.get(key, 'absent')} there, {b.get(key, 'absent')} here)" for key in keys]
    return ", ".join(parts[:4]) + (f" and {len(parts) - 4} more" if len(parts) > 4 else "")
