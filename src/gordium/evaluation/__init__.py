"""Encode once, score everything: one run, one model, one array of codes."""

from typing import TYPE_CHECKING

from gordium.lookup import import_when_used

if TYPE_CHECKING:
    from gordium.evaluation.array_files import evaluate_arrays, load_arrays
    from gordium.evaluation.encode_and_score import evaluate
    from gordium.evaluation.representation import Representation, encode, over_pruned

__all__ = ["Representation", "encode", "evaluate", "evaluate_arrays", "load_arrays", "over_pruned"]
__getattr__ = import_when_used(
    __name__,
    {
        "array_files": ["evaluate_arrays", "load_arrays"],
        "encode_and_score": ["evaluate"],
        "representation": ["Representation", "encode", "over_pruned"],
    },
)
