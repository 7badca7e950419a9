"""Tables 3 to 5 of Zietlow et al. 2021 by change: the other scores of the demo's own runs."""

import pandas as pd

from gordium.exhibits.published import read_published
from gordium.exhibits.zietlow2021.claims import (
    MODIFIED,
    NOISE,
    ORIGINAL,
    pair_by_change,
    with_change,
)
from gordium.report.statistics.claims import Claim, Line, paired_direction

RULE_DATE = "2026-11-17"
TABLES = {  # the score's name in rows and in print, and the published table
    "dci": ("DCI", "zietlow2021-table3"),
    "factor_vae_score": ("FactorVAE score", "zietlow2021-table4"),
    "sap": ("SAP", "zietlow2021-table5"),
}


def headline_scores(frame: pd.DataFrame) -> list[Claim]:
    """Each of the scores is lower on modified images, by repetition."""
    frame = with_change(frame)
    return [
        Claim(
            f"DCI, FactorVAE score and SAP of the same runs are lower on modified than on {text}",
            tuple(_line(frame, metric, variant) for metric in TABLES),
            rule_date=RULE_DATE,
        )
        for variant, text in {ORIGINAL: "original images", NOISE: "noisy images"}.items()
    ]


def _line(frame: pd.DataFrame, metric: str, variant: str) -> Line:
    label, exhibit = TABLES[metric]
    theirs = read_published(exhibit)["beta-vae"]
    gap = theirs[f"shapes3d/{MODIFIED}"]["mean"] - theirs[f"shapes3d/{variant}"]["mean"]
    before, after = pair_by_change(frame[frame["metric"] == metric], variant, MODIFIED)
    return paired_direction(label, before, after, -1, unit="change", published=gap)
