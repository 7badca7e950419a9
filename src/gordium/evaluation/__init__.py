"""Encode once, score everything: one run, one model, one array of codes."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gordium.evaluation.array_files import evaluate_arrays, load_arrays
    from gordium.evaluation.encode_and_score import evaluate
    from gordium.evaluation.representation import Representation, encode, over_pruned

__all__ = ["Representation", "encode", "evaluate", "evaluate_arrays", "load_arrays", "over_pruned"]

# Names are imported when they are first used: arrays are scored without PyTorch.
_HOMES = {
    "Representation": "representation",
    "encode": "representation",
    "evaluate": "encode_and_score",
    "evaluate_arrays": "array_files",
    "load_arrays": "array_files",
    "over_pruned": "representation",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"gordium.evaluation.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'gordium.evaluation' has no attribute {name!r}")
