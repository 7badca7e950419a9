"""Scores along a line search of the primary hyperparameter (Zietlow et al. 2021, Figure 5)."""

from collections.abc import Iterable, Mapping

import pandas as pd

from gordium.report.statistics.seeds import seed_summary

Defaults = Mapping[str, float | Mapping[str, float]]


def line_search(
    frame: pd.DataFrame,
    metric: str,
    defaults: Defaults,
    *,
    discard: Iterable[str] = ("over_pruned",),
) -> pd.DataFrame:
    """The summary over seeds at each strength, with `factor` = strength over the default.

    `defaults` has a method's literature value, or one for each data set. As in Figures 5 and
    7 to 9, over-pruned runs are left out unless `discard` says otherwise; `n_discarded` says how
    many of a point's `n_runs`, and a point of which nothing is left stays with n = 0.
    """
    used = frame[(frame["metric"] == metric) & frame["strength"].notna()]
    if used.empty:
        raise ValueError(f"no rows of {metric} with a strength to search along.")
    summary = seed_summary(used, discard=discard)
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
