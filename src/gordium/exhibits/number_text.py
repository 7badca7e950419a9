"""How tables of exhibits print numbers."""

import math
from collections.abc import Mapping, Sequence
from statistics import fmean, stdev


def mean_and_std(mean: float, std: float = math.nan, digits: int = 2) -> str:
    """Format as `0.23 ± 0.08`, or as a dash where there is no number."""
    if not math.isfinite(mean):
        return "–"
    return f"{mean:.{digits}f}" + (f" ± {std:.{digits}f}" if math.isfinite(std) else "")


def mean_and_spread(values: Sequence[float]) -> str:
    """Format the mean and the standard deviation (n - 1 in its denominator) over seeds."""
    return mean_and_std(fmean(values), stdev(values) if len(values) > 1 else 0.0, 3)


def format_published(theirs: Mapping[str, float] | None) -> str:
    """Format a published mean with its deviation, if known; a dash if nothing is published."""
    return mean_and_std(theirs["mean"], theirs.get("std", math.nan)) if theirs else "–"


def interval(low: float, high: float) -> str:
    """Format an interval as `[0.12, 0.34]`, or as a dash where there is none."""
    return f"[{low:.2f}, {high:.2f}]" if math.isfinite(low) else "–"
