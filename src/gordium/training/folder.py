"""A run's folder: which declaration it holds, and what is in it."""

import hashlib
import json
from pathlib import Path
from typing import Any

from torch import nn

from gordium.files import read_json, write_json, write_text
from gordium.training.checkpoint import load_tensors, restore, save_tensors, tensors_of
from gordium.training.machine import versions

CONFIG, HISTORY, CHECKPOINT, MODEL = (
    "config.json",
    "history.jsonl",
    "checkpoint.safetensors",
    "model.safetensors",
)
Row = dict[str, float]
_PLACES = ("folder", "path")  # where something lies, which does not make it another thing


def declaration_hash(declaration: dict[str, Any]) -> str:
    """The name of what was declared: SHA-256 of its JSON.

    Where a file lies is not part of it, and 8 and 8.0 are the same number.
    """
    text = json.dumps(_canonical(declaration), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def claim(
    folder: Path, declaration: dict[str, Any], *, replace: bool = False, **machine: object
) -> None:
    """Make the folder this declaration's own, or find that it is; refuse another's.

    With `replace`, another one's of the same kind gives way: for folders of runs that have
    names of their own.
    """
    replace = replace and (folder / CONFIG).exists()
    if replace:
        read_config(folder, declaration["kind"])
    if replace or not (folder / CONFIG).exists():
        if not replace:
            _refuse_strangers(folder)
        config = {
            "hash": declaration_hash(declaration),
            "declaration": declaration,
            "versions": versions(),
            "machine": machine,
        }
        write_json(folder / CONFIG, config)
        return
    held = read_config(folder)["declaration"]
    if declaration_hash(held) != declaration_hash(declaration):
        raise ValueError(
            f"{folder} holds another run, which differs in {_differences(held, declaration)}. "
            "Choose another folder, or delete this one."
        )


def read_config(folder: Path, kind: str | None = None) -> dict[str, Any]:
    """What the folder holds; with `kind`, anything but a run, a manipulation... is refused."""
    if not (folder / CONFIG).is_file():
        raise FileNotFoundError(f"{folder} is not {_one(kind or 'run')}: it has no {CONFIG}.")
    config = read_json(folder / CONFIG)
    if not isinstance(config, dict) or "kind" not in config.get("declaration", {}):
        raise ValueError(f"{folder / CONFIG} is damaged: it holds no declaration.")
    found = config["declaration"]["kind"]
    if kind is not None and found != kind:
        raise ValueError(f"{folder} holds {_one(found)}, not {_one(kind)}.")
    return config


def save_finished(folder: Path, part: str, module: nn.Module, history: list[Row]) -> None:
    """The last files of something trained: its history and weights; no checkpoint any more."""
    write_history(folder, history)
    save_tensors(folder / MODEL, tensors_of({part: module}))
    (folder / CHECKPOINT).unlink(missing_ok=True)


def is_finished(folder: Path) -> bool:
    """Whether the weights are there; a checkpoint left by a kill at the very end goes."""
    if not (folder / MODEL).exists():
        return False
    (folder / CHECKPOINT).unlink(missing_ok=True)
    return True


def load_finished(folder: Path, part: str, module: nn.Module) -> None:
    """Put the weights that `save_finished` wrote into a module built the same way."""
    if not (folder / MODEL).exists():
        raise FileNotFoundError(
            f"the {part} in {folder} is not finished: it has no {MODEL}. Start it again."
        )
    restore({part: module}, load_tensors(folder / MODEL)[0])


def write_history(folder: Path, history: list[Row]) -> None:
    write_text(folder / HISTORY, "".join(json.dumps(row) + "\n" for row in history))


def read_history(folder: Path) -> list[Row]:
    path = folder / HISTORY
    if not path.exists():
        return []
    try:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except ValueError as error:
        raise ValueError(
            f"{path} is damaged: {error}. Delete its folder and start again."
        ) from error


def _one(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeio" else f"a {kind}"


def _refuse_strangers(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file; give a folder for the run.")
    if folder.exists() and any(not file.name.startswith(".") for file in folder.iterdir()):
        raise ValueError(f"{folder} holds other files and no run; choose an empty or new folder.")


def _canonical(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _canonical(item) for key, item in value.items() if key not in _PLACES}
    if isinstance(value, list | tuple):
        return [_canonical(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _differences(held: dict[str, Any], asked: dict[str, Any]) -> str:
    a, b = _flat(_canonical(held)), _flat(_canonical(asked))
    keys = [key for key in {**a, **b} if a.get(key) != b.get(key)]
    parts = [f"{key} ({a.get(key, 'absent')} there, {b.get(key, 'absent')} here)" for key in keys]
    return ", ".join(parts[:4]) + (f" and {len(parts) - 4} more" if len(parts) > 4 else "")


def _flat(value: Any, name: str = "") -> dict[str, Any]:
    if not isinstance(value, dict):
        return {name: value}
    items = (_flat(item, f"{name}.{key}" if name else key) for key, item in value.items())
    return {key: leaf for item in items for key, leaf in item.items()}
