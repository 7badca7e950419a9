"""Numbers as tables of exhibits print them."""

import math
from collections.abc import Mapping, Sequence
from statistics import fmean, stdev


def mean_and_std(mean: float, std: float = math.nan, digits: int = 2) -> str:
    """`0.23 ± 0.08`, or a dash where there is no number."""
    if not math.isfinite(mean):
        return "–"
    return f"{mean:.{digits}f}" + (f" ± {std:.{digits}f}" if math.isfinite(std) else "")


def mean_and_spread(values: Sequence[float]) -> str:
    """Mean and standard deviation over seeds, n - 1 in its denominator."""
    return mean_and_std(fmean(values), stdev(values) if len(values) > 1 else 0.0, 3)


def format_published(theirs: Mapping[str, float] | None) -> str:
    """A published mean with its deviation, if it is known; a dash where nothing is published."""
    return mean_and_std(theirs["mean"], theirs.get("std", math.nan)) if theirs else "–"


def interval(low: float, high: float, digits: int = 2) -> str:
    """An interval as it is printed."""
    return f"[{low:.{digits}f}, {high:.{digits}f}]" if math.isfinite(low) else "–"
