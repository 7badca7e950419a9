"""Rank correlations: of metrics with each other, and of other scores with metrics."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from gordium.report.frame import check_frame, pivot_runs

UNSUPERVISED = ("reconstruction", "kl", "elbo", "total_correlation", "udr")
FEWEST = 3


class Agreement(NamedTuple):
    """Spearman's rho of each pair, and of how many runs."""

    rho: pd.DataFrame
    n: pd.DataFrame


def rank_correlations(
    frame: pd.DataFrame,
    dataset: str,
    *,
    variant: str = "original",
    metrics: Sequence[str] | None = None,
) -> Agreement:
    """Do metrics order the models alike? Over all runs of one data set (Locatello, Figure 2).

    Spearman's rho: the correlation of ranks, ties sharing their mean rank; each pair over the
    runs that have both numbers, NaN where those are fewer than three or all alike.
    """
    check_frame(frame)
    table = pivot_runs(_select(frame, dataset, variant))
    table = table[list(metrics if metrics is not None else table.columns)]
    has = table.notna().astype(int)
    return Agreement(_spearman(table), has.T @ has)


def unsupervised_agreement(
    frame: pd.DataFrame, scores: Sequence[str] = UNSUPERVISED
) -> pd.DataFrame:
    """Could models be chosen without labels? Each score against each metric (key result 4).

    One line for each data set, variant, score and metric: rho and the number of runs. Scores
    that no run has are passed over. Signs are as they come: a loss that falls as a metric rises
    gives a negative rho.
    """
    check_frame(frame)
    lines = []
    for (dataset, variant), group in frame.groupby(["dataset", "variant"], sort=False):
        table = pivot_runs(group)
        has, rho = table.notna().astype(int), _spearman(table)
        n = has.T @ has
        here = [score for score in scores if score in table]
        others = [metric for metric in table.columns if metric not in scores]
        lines += [(dataset, variant, a, b, rho.at[a, b], n.at[a, b]) for a in here for b in others]
    return pd.DataFrame(lines, columns=["dataset", "variant", "score", "metric", "rho", "n"])


def _select(frame: pd.DataFrame, dataset: str, variant: str) -> pd.DataFrame:
    found = frame[(frame["dataset"] == dataset) & (frame["variant"] == variant)]
    if found.empty:
        known = sorted(set(zip(frame["dataset"], frame["variant"], strict=True)))
        raise ValueError(f"no rows of {dataset}, {variant}; there are {known}.")
    return found


def _spearman(table: pd.DataFrame) -> pd.DataFrame:
    with np.errstate(invalid="ignore", divide="ignore"):
        return table.corr(method="spearman", min_periods=FEWEST)
