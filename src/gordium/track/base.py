"""What a tracker is, and how its package is found."""

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol


class Tracker(Protocol):
    """Hears of one run; of one that goes on, `start` again with the same hash."""

    def start(self, config: Mapping[str, Any], folder: Path) -> None:
        """`config` has the run's "hash" and its "declaration"; `folder` is the run's."""

    def log(self, step: int, values: Mapping[str, float]) -> None:
        """The numbers of a step."""

    def end(self, scores: Mapping[str, float]) -> None:
        """The run is finished, with these scores."""


def package(module: str, install: str) -> Any:
    """An optional module; where it is missing, an error with the command that installs it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise ValueError(f"this tracker needs {error.name}: pip install {install}.") from error


def flatten(value: Any, name: str = "") -> dict[str, Any]:
    """Tables within tables as one, the names joined by dots."""
    if not isinstance(value, Mapping):
        return {name: value}
    parts = (flatten(item, f"{name}.{key}" if name else key) for key, item in value.items())
    return {key: leaf for part in parts for key, leaf in part.items()}
