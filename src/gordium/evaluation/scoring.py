"""Score one representation, show progress, and record all that the scores depend on."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from math import isfinite
from typing import Any, TypedDict

from gordium._version import versions
from gordium.metrics import (
    ALL,
    Kinds,
    estimator,
    explain_left_out,
    list_allowed,
    real_factors,
    score,
)
from gordium.progress import progress


class ScoredArrays(TypedDict):
    """What every file of scores holds."""

    scores: dict[str, float | None]
    left_out: dict[str, str]
    estimators: dict[str, dict[str, object]]
    seed: int
    versions: dict[str, str]


def score_arrays(
    arrays: Mapping[str, Any], metrics: Sequence[str], seed: int, kinds: Kinds | None = None
) -> ScoredArrays:
    """Score the arrays by metrics whose names were checked; "all" is every quick one they allow.

    A score that the arrays leave undefined is None, because JSON has no NaN.
    """
    skipped: dict[str, str] = explain_left_out(**arrays) if ALL in metrics else {}
    allowed = list_allowed(**arrays) if ALL in metrics else []
    names = list(dict.fromkeys([*allowed, *(name for name in metrics if name != ALL)]))
    scores: dict[str, float] = {}
    with progress("scoring", len(names)) as advance:

        def report(done: int, total: int, name: str) -> None:
            advance(min(done, 1), name)  # done is 0, 1, 2, ...: each but the first adds one

        if names:
            scores = score(**arrays, metrics=names, seed=seed, kinds=kinds, report=report)
    n_samples, real = len(arrays["codes"]), real_factors(arrays["factors"], kinds)
    return {
        "scores": {name: value if isfinite(value) else None for name, value in scores.items()},
        "left_out": {name: why for name, why in skipped.items() if name not in names},
        "estimators": {name: estimator(name, n_samples, real) for name in names},
        "seed": seed,
        "versions": {**versions(), **{name: version(name) for name in ("scikit-learn", "scipy")}},
    }
