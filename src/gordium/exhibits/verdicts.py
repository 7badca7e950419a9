"""Which way a score moves, published and here, by one rule; and numbers as they are printed."""

import math
from typing import Any

from scipy.special import stdtrit

from gordium.exhibits.base import Effect
from gordium.report.difference import Difference

FALLS, RISES, STAYS = "falls", "rises", "shows no clear change"
QUARTER = 0.25
RULE = (
    "Direction of a difference: falls or rises where its 95 % interval excludes 0, else no clear "
    "change. The same rule reads the published means and deviations (Welch's interval, 10 seeds) "
    "and our runs (bootstrap over seeds, paired where seeds are the same); where nothing clear is "
    "published, ours must also change by less than a quarter of the original's mean."
)


def published_direction(first: dict[str, float], second: dict[str, float], n: int = 10) -> str:
    """The direction from two published means and deviations over `n` seeds."""
    parts = [side["std"] ** 2 / n for side in (first, second)]
    error = math.sqrt(sum(parts))
    change = second["mean"] - first["mean"]
    if error > 0:
        freedom = sum(parts) ** 2 / sum(part**2 / (n - 1) for part in parts)
        error *= -float(stdtrit(freedom, 0.025))
    return direction(change - error, change + error)


def direction(low: float, high: float) -> str:
    """What an interval of a difference says."""
    if high < 0:
        return FALLS
    return RISES if low > 0 else STAYS


def agrees(expected: str, found: Difference, base: float) -> bool:
    """Whether our difference from a mean of `base` goes the expected way; one seed cannot tell."""
    if not math.isfinite(found.low):
        return False
    if expected == STAYS:
        small = abs(found.mean) < QUARTER * abs(base)
        return direction(found.low, found.high) == STAYS and small
    return direction(found.low, found.high) == expected


def change_effect(statement: str, expected: str, found: Difference | None, base: float) -> Effect:
    """The effect "statement falls", with our difference as evidence."""
    text = f"{statement} {expected}"
    if found is None:
        return Effect(text, False, "no finished runs of both here")
    return Effect(text, agrees(expected, found, base), spoken(found))


def spoken(found: Difference) -> str:
    if not math.isfinite(found.low):
        return f"{found.mean:+.3f} here, too few seeds for an interval"
    return (
        f"{found.mean:+.3f} [{found.low:+.3f}, {found.high:+.3f}] here, p = {found.p:.2g}, "
        f"n = {found.n}"
    )


def mean_and_std(line: dict[str, Any] | None, digits: int = 2) -> str:
    """`0.23 ± 0.08`; published numbers and lines of a summary alike."""
    if line is None or not math.isfinite(line["mean"]):
        return "–"
    std = line.get("std", math.nan)
    return f"{line['mean']:.{digits}f}" + (f" ± {std:.{digits}f}" if math.isfinite(std) else "")


def interval(low: float, high: float, digits: int = 2) -> str:
    return f"[{low:.{digits}f}, {high:.{digits}f}]" if math.isfinite(low) else "–"
