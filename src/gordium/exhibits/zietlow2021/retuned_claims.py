"""Claims on the retuned demo: does another strength bring back what a change takes away?"""

import pandas as pd

from gordium.report.statistics.claims import Claim, Line, paired_direction

CHOICE, REPORTED = "choice", "modified"


def headline_retuned(frame: pd.DataFrame, retuned: pd.DataFrame) -> list[Claim]:
    """Modified images at their best strength against the others at the demo's strength.

    `frame` has the fresh runs of all repetitions, `retuned` runs of some repetitions on modified
    images at several strengths. The seeds that choose a strength are not reported.
    """
    best = retuned.groupby("repetition").apply(_score_best, include_groups=False)
    lines = tuple(_line(frame, best, variant) for variant in ("original", "noise"))
    text = "MIG on modified images stays lower at their best strength of five"
    return [Claim(text, lines)]


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
