"""Scores of one representation with all that they depend on, and a progress line meanwhile."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from math import isfinite
from typing import Any, TypedDict

from gordium._version import versions
from gordium.metrics import (
    ALL,
    Kinds,
    check_names,
    estimator,
    explain_left_out,
    list_allowed,
    real_factors,
    score,
)
from gordium.progress import progress


class ScoredArrays(TypedDict):
    """What every file of scores says."""

    scores: dict[str, float | None]
    left_out: dict[str, str]
    estimators: dict[str, dict[str, object]]
    seed: int
    versions: dict[str, str]


def score_arrays(
    arrays: Mapping[str, Any], metrics: Sequence[str], seed: int, kinds: Kinds | None = None
) -> ScoredArrays:
    """The part of a scores file that is about scores; "all" is every metric the arrays allow.

    A score that the arrays leave undefined is None: JSON has no NaN. No metrics, no scores.
    """
    if metrics:
        check_names(metrics)
    skipped: dict[str, str] = explain_left_out(**arrays) if ALL in metrics else {}
    names = list(metrics) if ALL not in metrics else list_allowed(**arrays)
    with progress("scoring", len(names)) as advance:
        # Reports come with 0, 1, 2, ... done, so each but the first is one more.
        scores = (
            {}
            if not names
            else score(
                **arrays,
                metrics=names,
                seed=seed,
                kinds=kinds,
                report=lambda done, total, name: advance(min(done, 1), name),
            )
        )
    n_samples, real = len(arrays["codes"]), real_factors(arrays["factors"], kinds)
    return {
        "scores": {name: value if isfinite(value) else None for name, value in scores.items()},
        "left_out": skipped,
        "estimators": {name: estimator(name, n_samples, real) for name in names},
        "seed": seed,
        "versions": {**versions(), **{name: version(name) for name in ("scikit-learn", "scipy")}},
    }
