"""Many runs: declared as values, worked off by processes, kept on disk."""

from gordium.evaluation.array_files import evaluate_arrays, load_arrays
from gordium.evaluation.encode_and_score import evaluate
from gordium.study.local import Job, Outcome, execute
from gordium.study.work import declared_dataset, evaluate_run, load_representation, train_and_score

__all__ = [
    "Job",
    "Outcome",
    "declared_dataset",
    "evaluate",
    "evaluate_arrays",
    "evaluate_run",
    "execute",
    "load_arrays",
    "load_representation",
    "train_and_score",
]
