"""A run's folder: which declaration it holds, and what is in it."""

import hashlib
import json
from pathlib import Path
from typing import Any

from gordium.files import read_json, write_json, write_text
from gordium.training.machine import versions

CONFIG, HISTORY, CHECKPOINT, MODEL = (
    "config.json",
    "history.jsonl",
    "checkpoint.safetensors",
    "model.safetensors",
)
Row = dict[str, float]


def declaration_hash(declaration: dict[str, Any]) -> str:
    """The name of what was declared: SHA-256 of its JSON. Where a file lies is not part of it."""
    text = json.dumps(_without_places(declaration), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def claim(folder: Path, declaration: dict[str, Any], **machine: object) -> None:
    """Make the folder this declaration's own, or find that it is; refuse another's."""
    if not (folder / CONFIG).exists():
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


def read_config(folder: Path) -> dict[str, Any]:
    if not (folder / CONFIG).is_file():
        raise FileNotFoundError(f"{folder} is not a run: it has no {CONFIG}.")
    config = read_json(folder / CONFIG)
    if not isinstance(config, dict) or "declaration" not in config:
        raise ValueError(f"{folder / CONFIG} is damaged: it holds no declaration.")
    return config


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


def _refuse_strangers(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is a file; give a folder for the run.")
    if folder.exists() and any(not file.name.startswith(".") for file in folder.iterdir()):
        raise ValueError(f"{folder} holds other files and no run; choose an empty or new folder.")


def _without_places(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_places(item) for key, item in value.items() if key != "folder"}
    return [_without_places(item) for item in value] if isinstance(value, list | tuple) else value


def _differences(held: dict[str, Any], asked: dict[str, Any]) -> str:
    a, b = _flat(_without_places(held)), _flat(_without_places(asked))
    keys = [key for key in {**a, **b} if a.get(key) != b.get(key)]
    parts = [f"{key} ({a.get(key, 'absent')} there, {b.get(key, 'absent')} here)" for key in keys]
    return ", ".join(parts[:4]) + (f" and {len(parts) - 4} more" if len(parts) > 4 else "")


def _flat(value: Any, name: str = "") -> dict[str, Any]:
    if not isinstance(value, dict):
        return {name: value}
    items = (_flat(item, f"{name}.{key}" if name else key) for key, item in value.items())
    return {key: leaf for item in items for key, leaf in item.items()}
