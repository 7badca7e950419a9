"""What Tables 1 and 3-5 of Zietlow et al. 2021 claim."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from gordium.arrays import Floats
from gordium.exhibits.published import read_published
from gordium.report.statistics.claims import (
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
SHOWN_DATE = "2026-11-19"
OF_MIG = "zietlow2021-table1"  # the score that repetitions have of all methods
ELSEWHERE = "over repetitions it is judged in results/demo"
Case = tuple[str, str]  # data set and method
Numbers = dict[str, dict[str, dict[str, float]]]


def table(frame: pd.DataFrame, exhibit: str, label: str) -> list[Claim]:
    """Tables 1 and 3-5: published changes of a score, shown, and published means.

    Rows with a `repetition` are those of the demo, which has a change and a draw of noise in each;
    its own claims judge them. The study's rows have one change and one draw, which say nothing of
    others: neither is judged here, but for the means.
    """
    theirs, rows = read_published(exhibit), split_repetitions(frame)
    cases = [
        (data, method)
        for method in theirs
        for data in dict.fromkeys(frame["dataset"])
        if {f"{data}/{v}" for v in (ORIGINAL, MODIFIED, NOISE)} <= set(theirs[method])
    ]
    changed = [case for case in cases if case[0] not in UNCHANGED]
    by_data = sorted(cases, key=lambda case: case[0] in NOTICEABLE)

    def falls(first: str, text: str) -> Claim:
        found = [c for c in changed if published_sign(theirs, c, first, MODIFIED) < 0]
        return _show(
            Claim(text, (), ELSEWHERE, SHOWN_DATE),
            rows,
            found,
            lambda own, c, of: change_line(own, c, first, theirs, of=of),
        )

    def stays(variant: str, some: Sequence[Case], text: str) -> Claim:
        found = [c for c in some if published_sign(theirs, c, ORIGINAL, variant) == 0]
        return _show(
            Claim(text, (), ELSEWHERE if exhibit == OF_MIG else "", SHOWN_DATE),
            rows,
            found,
            lambda own, c, of: judge_unmoved(own, c, variant, unit=UNITS[variant], of=of),
        )

    moved = [c for c in cases if published_sign(theirs, c, ORIGINAL, NOISE) != 0]
    claims = [
        falls(ORIGINAL, f"{label} falls from original to modified images"),
        falls(NOISE, f"{label} is lower on modified than on noisy images"),
        stays(MODIFIED, changed, f"modified images leave {label} of other methods as it is"),
        stays(NOISE, by_data, f"noise leaves {label} as it is"),
        _show(
            Claim(f"noise moves {label} as published", (), rule_date=SHOWN_DATE),
            rows,
            moved,
            lambda own, c, of: change_line(own, c, ORIGINAL, theirs, to=NOISE, of=of),
        ),
        _compare_means(f"{label} has the published means", rows, theirs),
    ]
    return [claim for claim in claims if claim.lines or claim.beside]


class Rows(NamedTuple):
    """Rows with a column `change`: those of one change, and those of the demo's repetitions."""

    once: pd.DataFrame
    repeated: pd.DataFrame

    @property
    def cases(self) -> set[Case]:
        """The data sets and methods that repetitions have."""
        return set(zip(self.repeated["dataset"], self.repeated["method"], strict=True))


def split_repetitions(frame: pd.DataFrame) -> Rows:
    """Set the rows with a `repetition` apart; without such a column there are none."""
    number = frame.get("repetition", pd.Series(np.nan, frame.index))
    is_repeated = number.notna()
    marked = frame.assign(change=number.fillna(0))
    return Rows(marked[~is_repeated], marked[is_repeated])


def _show(
    claim: Claim,
    rows: Rows,
    cases: Sequence[Case],
    make: Callable[[pd.DataFrame, Case, str], Line],
) -> Claim:
    """The claim with lines beside it: over repetitions where there are any, and of one change."""
    lines = (
        *(
            _of_demo(make(rows.repeated, c, f"{', '.join(c)}, repetitions"))
            for c in cases
            if c in rows.cases
        ),
        *(make(rows.once, case, ", ".join(case)) for case in cases),
    )
    return replace(claim, beside=lines)


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
    frame: pd.DataFrame, case: Case, variant: str, *, unit: str, of: str = ""
) -> Line:
    """Original images against a variant's that is published to leave the score as it is."""
    a, b = pair_by_change(_select(frame, case), ORIGINAL, variant)
    base = float(a.mean()) if len(a) else np.nan
    return equivalence(of or ", ".join(case), paired_interval(a, b), base=base, unit=unit)


def _of_demo(line: Line) -> Line:
    """The line with the demo as the exhibit whose rows it is of."""
    return replace(line, rows_of="demo")


def _compare_means(text: str, rows: Rows, theirs: Numbers) -> Claim:
    """Our means beside the published: of repetitions, or else of the seeds on original images."""
    lines: list[Line] = []
    beside: list[Line] = []
    for method, cells in theirs.items():
        for cell, number in cells.items():
            data, variant = cell.split("/")
            if variant == MODIFIED and data in UNCHANGED:
                continue
            own, repeated = (
                some[some["variant"] == variant]
                for some in (_select(frame, (data, method)) for frame in rows)
            )
            of, mean, unit = f"{cell}, {method}", number["mean"], UNITS.get(variant)
            if len(repeated):
                values = repeated.groupby("change")["value"].mean()
                line = quantity(f"{of}, repetitions", values, mean, unit=unit or "repetition")
                lines.append(_of_demo(line))
            if len(own):
                values = own.groupby("change" if unit else "seed")["value"].mean()
                judged = beside if unit or len(repeated) else lines
                judged.append(quantity(of, values, mean, unit=unit or "seed"))
    return Claim(text, tuple(lines), rule_date=SHOWN_DATE, beside=tuple(beside))
