"""Whether longer training brings back what a change has taken: the demo, four times as long."""

import pandas as pd

from gordium.exhibits.zietlow2021.claims import MODIFIED, NOISE, pair_by_change, with_change
from gordium.report.statistics.claims import Claim, paired_direction

RULE_DATE = "2026-11-17"  # written before the first of these runs


def headline_longer(frame: pd.DataFrame) -> list[Claim]:
    """MIG of longer runs is still lower on modified than on noisy images, by repetition."""
    scores = with_change(frame[frame["metric"] == "mig"])
    noisy, modified = pair_by_change(scores, NOISE, MODIFIED)
    line = paired_direction("", noisy, modified, -1, unit="change")
    text = "MIG is lower on modified than on noisy images after four times as many steps"
    note = f"in {int((modified < noisy).sum())} of {len(noisy)} repetitions"
    return [Claim(text, (line,), note, rule_date=RULE_DATE)]
