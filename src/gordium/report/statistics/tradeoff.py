"""Two scores against each other as a hyperparameter moves (Stuehmer et al. 2020, Figure 5)."""

import numpy as np
import pandas as pd

from gordium.report.frame import SETTING, check_frame, pivot_runs, settings_by_run


def tradeoff(frame: pd.DataFrame, x: str = "reconstruction", y: str = "mig") -> pd.DataFrame:
    """One point for each data set, variant, method and strength: means and standard errors.

    Over the runs that have both numbers, `n` of them; the standard error, which the paper's
    error bars show, is the deviation (n - 1) over sqrt n, and NaN of one run. Sorted by
    strength, so that the points of a method make a curve.
    """
    check_frame(frame)
    table = pivot_runs(frame[frame["metric"].isin((x, y))])
    missing = [name for name in (x, y) if name not in table]
    if missing:
        raise ValueError(f"no finite values of {' and '.join(missing)} in these rows.")
    pairs = table.dropna().join(settings_by_run(frame))
    groups = pairs.groupby(list(SETTING), dropna=False, sort=True)
    n = groups.size()
    means, spreads = groups[[x, y]].mean(), groups[[x, y]].std()
    found = pd.DataFrame({"x": means[x], "y": means[y], "n": n})
    found["x_error"], found["y_error"] = (spreads[name] / np.sqrt(n) for name in (x, y))
    return found.reset_index()
