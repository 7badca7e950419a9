"""Scores along a hyperparameter: line searches, and two scores against each other."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from gordium.report.frame import SETTING, check_frame, pivot_runs, settings_by_run
from gordium.report.statistics.seeds import seed_summary

Defaults = Mapping[str, float | Mapping[str, float]]


def line_search(frame: pd.DataFrame, metric: str, defaults: Defaults) -> pd.DataFrame:
    """The summary over seeds at each strength, with `factor` = strength over the default.

    `defaults` has a method's literature value, or one for each data set. As in Figures 5 and
    7 to 9 of Zietlow et al. 2021, over-pruned runs are left out; `n_discarded` counts them, and a
    point of which nothing is left stays, with n = 0.
    """
    used = frame[(frame["metric"] == metric) & frame["strength"].notna()]
    if used.empty:
        raise ValueError(f"no rows of {metric} with a strength to search along.")
    summary = seed_summary(used, discard=["over_pruned"])
    base = [
        _default(defaults, method, dataset)
        for method, dataset in zip(summary["method"], summary["dataset"], strict=True)
    ]
    summary.insert(4, "factor", summary["strength"] / base)
    keys = ["dataset", "method", "variant", "factor"]
    return summary.sort_values(keys, ignore_index=True)


def _default(defaults: Defaults, method: str, dataset: str) -> float:
    value = defaults.get(method)
    if isinstance(value, Mapping):
        value = value.get(dataset)
    if value is None:
        raise ValueError(f"defaults have no value for {method} on {dataset}; give one.")
    return float(value)


def tradeoff(frame: pd.DataFrame, x: str = "reconstruction", y: str = "mig") -> pd.DataFrame:
    """One point for each data set, variant, method and strength: means and standard errors.

    They are over the `n` runs that have both numbers. The standard error is the deviation (n - 1)
    over sqrt n, and NaN for one run. Points are sorted by strength, so that those of a method make
    a curve.
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
