"""What Figure 3 of Burgess et al. 2018 claims."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from gordium.report.statistics.claims import Claim, measure_once


def figure3(frame: pd.DataFrame) -> list[Claim]:
    """Compare factors of one run by the capacity from which their KL stays above half a nat."""

    def onset(names: Sequence[str]) -> float:
        used = (frame[[f"kl_{name}" for name in names]] >= 0.5).all(axis=1).to_numpy()
        last_below = np.flatnonzero(~used)
        first = int(last_below[-1]) + 1 if len(last_below) else 0
        return float(frame["capacity"].iloc[first]) if first < len(frame) else float("inf")

    if not {"kl_scale", "kl_x", "kl_y"} <= set(frame):
        return []
    gap = onset(("scale",)) - onset(("x", "y"))
    note = "shape and orientation get capacity, but reconstructions are round at 23.8 nats"
    return [
        Claim(
            "position gets capacity before scale, nats",
            (measure_once("", gap, 1, unit="seed"),),
            note,
        )
    ]
