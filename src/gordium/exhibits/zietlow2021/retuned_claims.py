"""Claims on the retuned demo: does another strength bring back what a change takes away?"""

import pandas as pd

from gordium.report.statistics.claims import Claim, Line, paired_direction

CHOICE, REPORTED = "choice", "modified"
RULE_DATE = "2026-11-17"


def headline_retuned(frame: pd.DataFrame, retuned: pd.DataFrame) -> list[Claim]:
    """Modified images at their best strength against the others at the demo's strength.

    `frame` has the fresh runs of all repetitions, `retuned` runs of some repetitions on modified
    images at several strengths. The seeds that choose a strength are not reported.
    """
    best = retuned.groupby("repetition").apply(_score_best, include_groups=False)
    lines = tuple(_line(frame, best, variant) for variant in ("original", "noise"))
    text = "MIG on modified images stays lower at their best strength of five"
    return [Claim(text, lines, _tell_edges(retuned), rule_date=RULE_DATE)]


def _tell_edges(retuned: pd.DataFrame) -> str:
    """In how many repetitions the best strength is the least or the greatest that was tried."""
    own = retuned.groupby("repetition")
    best = own.apply(pick_strength, include_groups=False)
    ends = own["strength"].agg(["min", "max"])
    n = int(((best == ends["min"]) | (best == ends["max"])).sum())
    return f"the best is at an end of the range tried in {n} of {len(best)}"


def pick_strength(retuned: pd.DataFrame) -> float:
    """The strength with the highest mean score over the seeds that choose."""
    choice = retuned[(retuned["variant"] == CHOICE) & (retuned["metric"] == "mig")]
    return float(choice.groupby("strength")["value"].mean().idxmax())


def _score_best(own: pd.DataFrame) -> float:
    """The mean score of the reported seeds; all must have the strength that was chosen."""
    reported = own[(own["variant"] == REPORTED) & (own["metric"] == "mig")]
    if set(reported["strength"]) != {pick_strength(own)}:
        raise ValueError("reported runs must have the strength that the other seeds chose.")
    return float(reported["value"].mean())


def _line(frame: pd.DataFrame, best: pd.Series, variant: str) -> Line:
    own = frame[(frame["variant"] == variant) & (frame["metric"] == "mig")]
    means = own.groupby("repetition")["value"].mean().loc[best.index]
    return paired_direction(f"against {variant}", means, best, -1, unit="change")
