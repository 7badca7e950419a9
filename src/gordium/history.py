"""The history of a training as lines of JSON, checked against the tensor file beside it. No torch.

A checkpoint and a finished model state a digest of the rows that were written before them, so a
history that was changed, cut or deleted since is an error and never gives other numbers.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from safetensors import SafetensorError, safe_open

from gordium.files import write_text

HISTORY, MODEL, STATED = "history.jsonl", "model.safetensors", "gordium"
Row = dict[str, float]


def write_history(folder: Path, history: Sequence[Row]) -> None:
    """Write the history of a run, one record a line."""
    write_text(folder / HISTORY, "".join(json.dumps(row) + "\n" for row in history))


def read_history(folder: Path) -> list[Row]:
    """The history of a run; empty where none is written yet."""
    rows = _lines(folder / HISTORY) if (folder / HISTORY).exists() else []
    if (folder / MODEL).exists():
        check_history(folder, rows, read_statement(folder / MODEL).get("history"))
    return rows


def history_digest(history: Sequence[Row]) -> str:
    """The digest of a history, which the tensor file beside it states."""
    return hashlib.sha256(json.dumps(list(history)).encode()).hexdigest()


def check_history(folder: Path, history: Sequence[Row], stated: object) -> None:
    """Refuse a history without the stated digest; files of older versions state none."""
    if stated is not None and stated != history_digest(history):
        raise ValueError(
            f"{folder / HISTORY} is damaged: it is not the history that belongs to the weights "
            "beside it. Put it back, or delete its folder and start again."
        )


def read_statement(path: Path) -> Mapping[str, object]:
    """What a tensor file states of itself; empty if that cannot be read: loading it tells why."""
    try:
        with safe_open(path, framework="numpy") as file:
            found = json.loads((file.metadata() or {})[STATED])
    except (SafetensorError, ValueError, KeyError, TypeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _lines(path: Path) -> list[Row]:
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        if not all(isinstance(row, dict) and "step" in row for row in rows):
            raise ValueError("a line of it is not a record")
        if not all(type(value) in (int, float) for row in rows for value in row.values()):
            raise ValueError("a value in it is not a number")
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"{path} is damaged: {error}. Delete its folder and start again."
        ) from error
    return rows
