"""Metrics: pure functions of (codes, factors). A new one is a file and a name in `METRICS`."""

from collections.abc import Iterable

from numpy.typing import ArrayLike

from gordium.lookup import pick
from gordium.metrics.mig import mig

METRICS = {metric.__name__: metric for metric in (mig,)}


def list_metrics() -> list[str]:
    """The names of all metrics."""
    return list(METRICS)


def score(
    codes: ArrayLike, factors: ArrayLike, *, metrics: Iterable[str] = ("mig",), seed: int = 0
) -> dict[str, float]:
    """Several metrics of one representation, by name."""
    chosen = {name: pick("metric", name, METRICS) for name in metrics}
    return {name: metric(codes, factors, seed=seed) for name, metric in chosen.items()}


__all__ = ["METRICS", "list_metrics", "mig", "score"]
