"""Do disentangled codes need fewer labels? (Locatello et al. 2019, key result 5)"""

import numpy as np
import pandas as pd

from gordium.report.frame import check_frame

EFFICIENCY = "efficiency"
FEW, MANY = "accuracy_100", "accuracy_10000"


def with_efficiency(frame: pd.DataFrame, *, few: str = FEW, many: str = MANY) -> pd.DataFrame:
    """The frame with a row of statistical efficiency more for each run that has both accuracies.

    Efficiency is the mean accuracy after 100 samples over that after 10,000.
    """
    check_frame(frame)
    top = frame[frame["metric"] == few].set_index("run")["value"]
    below = frame[frame["metric"] == many].set_index("run")
    if top.empty or below.empty:
        raise ValueError(f"efficiency needs rows of {few} and {many}; one of them has no rows.")
    ratio = top.reindex(below.index) / below["value"].where(below["value"] > 0)
    rows = below.assign(metric=EFFICIENCY, value=ratio).reset_index()[frame.columns]
    return pd.concat([frame, rows[np.isfinite(rows["value"])]], ignore_index=True)
