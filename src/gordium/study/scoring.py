"""Scores of one representation with all that they depend on, and a progress line meanwhile."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from math import isfinite
from typing import Any

from numpy.typing import NDArray

from gordium.lookup import pick
from gordium.metrics import METRICS, estimator, left_out, list_metrics, score
from gordium.progress import progress
from gordium.training.machine import versions

ALL = "all"


def check_names(metrics: Sequence[str]) -> None:
    """An unknown metric is an error before any work is done."""
    for name in metrics:
        pick("metric", name, {**METRICS, ALL: None})


def scored(arrays: Mapping[str, NDArray[Any]], metrics: Sequence[str], seed: int) -> dict[str, Any]:
    """The part of a scores file that is about scores; "all" is every metric the arrays allow.

    A score that the arrays leave undefined is None: JSON has no NaN.
    """
    check_names(metrics)
    skipped: dict[str, str] = left_out(**arrays) if ALL in metrics else {}
    names = list(metrics) if ALL not in metrics else [n for n in list_metrics() if n not in skipped]
    with progress("scoring", len(names)) as advance:
        # Reports come with 0, 1, 2, ... done, so each but the first is one more.
        scores = score(
            **arrays,
            metrics=names,
            seed=seed,
            report=lambda done, total, name: advance(min(done, 1), name),
        )
    n_samples = len(arrays["codes"])
    return {
        "scores": {name: value if isfinite(value) else None for name, value in scores.items()},
        "left_out": skipped,
        "estimators": {name: estimator(name, n_samples) for name in names},
        "seed": seed,
        "versions": {**versions(), **{name: version(name) for name in ("scikit-learn", "scipy")}},
    }
