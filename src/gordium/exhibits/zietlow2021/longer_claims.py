"""Whether longer training brings back what a change has taken: the demo, four times as long."""

import pandas as pd

from gordium.exhibits.zietlow2021.claims import NOISE, lies_below, with_change
from gordium.report.statistics.claims import Claim

RULE_DATE = "2026-11-17"  # written before the first of these runs


def headline_longer(frame: pd.DataFrame) -> list[Claim]:
    """MIG of longer runs is still lower on modified than on noisy images, by repetition."""
    scores = with_change(frame[frame["metric"] == "mig"])
    text = "MIG is lower on modified than on noisy images after four times as many steps"
    return [lies_below(scores, NOISE, text, rule_date=RULE_DATE)]
