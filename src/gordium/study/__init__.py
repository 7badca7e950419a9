"""Many runs: declared as values, worked off by processes, kept on disk."""

from gordium.study.arrays import evaluate_arrays, load_arrays
from gordium.study.local import Job, Outcome, execute
from gordium.study.work import declared_dataset, evaluate, load_representation, train_and_score

__all__ = [
    "Job",
    "Outcome",
    "declared_dataset",
    "evaluate",
    "evaluate_arrays",
    "execute",
    "load_arrays",
    "load_representation",
    "train_and_score",
]
