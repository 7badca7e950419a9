"""Numbers as tables of exhibits print them."""

import math
from typing import Any


def mean_and_std(line: dict[str, Any] | None, digits: int = 2) -> str:
    """`0.23 ± 0.08`; published numbers and lines of a summary alike."""
    if line is None or not math.isfinite(line["mean"]):
        return "–"
    std = line.get("std", math.nan)
    return f"{line['mean']:.{digits}f}" + (f" ± {std:.{digits}f}" if math.isfinite(std) else "")


def interval(low: float, high: float, digits: int = 2) -> str:
    """An interval as it is printed."""
    return f"[{low:.{digits}f}, {high:.{digits}f}]" if math.isfinite(low) else "–"
