"""What Tables 1 and 3-5 of Zietlow et al. 2021 claim."""

import numpy as np
import pandas as pd

from gordium.arrays import Floats
from gordium.exhibits.published import read_published
from gordium.report.statistics.claims import (
    RULE_DATE,
    Claim,
    Line,
    equivalence,
    paired_direction,
    quantity,
)
from gordium.report.statistics.student import paired_interval, welch_interval_of

ORIGINAL, MODIFIED, NOISE = "original", "modified", "noise"
# Data sets whose committed change moves no pixel by more than two grey levels in more than half
# of the images (results/zietlow2021-figure4/rows.csv, column unchanged): nothing was changed.
UNCHANGED = ("dsprites",)
# "The impact on dSprites is, however, noticeable" (5.2): no method there is said to be left as it
# is, whatever the printed means.
NOTICEABLE = ("dsprites",)
PUBLISHED_SEEDS = 10
# One learned change and one draw of noise for each data set: what the runs on them share.
UNITS = {MODIFIED: "change", NOISE: "draw"}
SENTENCE_DATE = "2026-11-18"
Case = tuple[str, str]  # data set and method
Numbers = dict[str, dict[str, dict[str, float]]]


def table(frame: pd.DataFrame, exhibit: str, label: str) -> list[Claim]:
    """Tables 1 and 3-5: each published change of a score, by its direction over ten seeds."""
    theirs = read_published(exhibit)
    frame = with_change(frame)
    cases = [
        (data, method)
        for method in theirs
        for data in dict.fromkeys(frame["dataset"])
        if {f"{data}/{v}" for v in (ORIGINAL, MODIFIED, NOISE)} <= set(theirs[method])
    ]
    changed = [case for case in cases if case[0] not in UNCHANGED]
    unmoved = {
        case: judge_unmoved(frame, case, NOISE, unit="draw")
        for case in cases
        if published_sign(theirs, case, ORIGINAL, NOISE) == 0
    }
    leaves = f"noise leaves {label} as it is"
    groups = {
        f"{label} falls from original to modified images":
            [change_line(frame, case, ORIGINAL, theirs) for case in changed
             if published_sign(theirs, case, ORIGINAL, MODIFIED) < 0],
        f"{label} is lower on modified than on noisy images":
            [change_line(frame, case, NOISE, theirs) for case in changed
             if published_sign(theirs, case, NOISE, MODIFIED) < 0],
        f"modified images leave {label} of other methods as it is":
            [judge_unmoved(frame, case, MODIFIED) for case in changed
             if published_sign(theirs, case, ORIGINAL, MODIFIED) == 0],
        leaves: [line for case, line in unmoved.items() if case[0] not in NOTICEABLE],
        f"noise moves {label} as published":
            [change_line(frame, case, ORIGINAL, theirs, to=NOISE) for case in cases
             if published_sign(theirs, case, ORIGINAL, NOISE) != 0],
        f"{label} has the published means": _quantities(frame, theirs),
    }  # fmt: skip
    beside = {leaves: tuple(line for case, line in unmoved.items() if case[0] in NOTICEABLE)}
    dates = {leaves: SENTENCE_DATE}
    return [
        Claim(text, tuple(lines), "", dates.get(text, RULE_DATE), beside.get(text, ()))
        for text, lines in groups.items()
        if lines
    ]


def published_sign(theirs: Numbers, case: Case, first: str, second: str) -> int:
    """-1 or 1 if Welch's interval of the difference of published means excludes 0, else 0."""
    data, method = case
    a, b = (theirs[method][f"{data}/{v}"] for v in (first, second))
    found = welch_interval_of(
        (a["mean"], a["std"]), (b["mean"], b["std"]), PUBLISHED_SEEDS, PUBLISHED_SEEDS
    )
    return int(found.low > 0) - int(found.high < 0)


def with_change(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with a column `change`: the repetition, or 0 if there are none."""
    return frame.assign(change=frame.get("repetition", 0))


def pair_by_change(frame: pd.DataFrame, first: str, second: str) -> tuple[Floats, Floats]:
    """The means of two variants, one for each change, over the seeds that have both."""
    table = frame.pivot_table(index=["change", "seed"], columns="variant", values="value")
    if not {first, second} <= set(table):
        return np.empty(0), np.empty(0)
    means = table[[first, second]].dropna().groupby("change").mean()
    return means[first].to_numpy(np.float64), means[second].to_numpy(np.float64)


def _select(frame: pd.DataFrame, case: Case) -> pd.DataFrame:
    return frame[(frame["dataset"] == case[0]) & (frame["method"] == case[1])]


def change_line(
    frame: pd.DataFrame,
    case: Case,
    first: str,
    theirs: Numbers,
    *,
    to: str = MODIFIED,
    of: str = "",
) -> Line:
    """A published change from `first` images to others; `of` names the line if not its case."""
    pair = pair_by_change(_select(frame, case), first, to)
    data, method = case
    before, after = (theirs[method][f"{data}/{v}"]["mean"] for v in (first, to))
    of, unit, sign = of or ", ".join(case), UNITS[to], 1 if after > before else -1
    return paired_direction(of, *pair, sign, unit=unit, published=after - before)


def judge_unmoved(
    frame: pd.DataFrame, case: Case, variant: str, *, unit: str = "change", of: str = ""
) -> Line:
    """Original images against a variant's that is published to leave the score as it is."""
    a, b = pair_by_change(_select(frame, case), ORIGINAL, variant)
    base = float(a.mean()) if len(a) else np.nan
    return equivalence(of or ", ".join(case), paired_interval(a, b), base=base, unit=unit)


def _quantities(frame: pd.DataFrame, theirs: Numbers) -> list[Line]:
    lines = []
    for method, cells in theirs.items():
        for cell, number in cells.items():
            data, variant = cell.split("/")
            own = _select(frame, (data, method))
            own = own[own["variant"] == variant]
            if own.empty or (variant == MODIFIED and data in UNCHANGED):
                continue
            unit = UNITS.get(variant, "seed")
            values = own.groupby("seed" if unit == "seed" else "change")["value"].mean()
            lines.append(quantity(f"{cell}, {method}", values, number["mean"], unit=unit))
    return lines
