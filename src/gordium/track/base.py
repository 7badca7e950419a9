"""The interface of a tracker, and what trackers share."""

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol


class Tracker(Protocol):
    """Takes the numbers of one run; a run that goes on starts it again, with the same hash."""

    def start(self, config: Mapping[str, Any], folder: Path) -> None:
        """Begin: `config` has the run's "hash" and "declaration"; `folder` is the run's."""

    def log(self, step: int, values: Mapping[str, float]) -> None:
        """Log the numbers of a step."""

    def end(self, scores: Mapping[str, float]) -> None:
        """Log the scores of the finished run."""

    def fail(self) -> None:
        """Close a run that was stopped or has failed; it may be started again."""


def import_package(module: str, install: str) -> Any:
    """Import an optional module; if it is missing, the error says what to install."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise ValueError(f"this tracker needs {error.name}: pip install {install}.") from error


def flatten(value: Any, name: str = "") -> dict[str, object]:
    """Nested tables as one table, with names joined by dots."""
    if not isinstance(value, Mapping):
        return {name: value}
    parts = (flatten(item, f"{name}.{key}" if name else key) for key, item in value.items())
    return {key: leaf for part in parts for key, leaf in part.items()}
