"""Rank correlations: of metrics with each other, and of scores without labels with metrics."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from gordium.report.frame import check_frame, pivot_runs

UNSUPERVISED = ("reconstruction", "kl", "elbo", "total_correlation", "udr")
FEWEST = 3


class Agreement(NamedTuple):
    """Spearman's rho of each pair of metrics, and the number of runs that have both."""

    rho: pd.DataFrame
    n: pd.DataFrame


def rank_correlations(frame: pd.DataFrame) -> Agreement:
    """Do metrics order the models alike? Over all runs of the frame (Locatello, Figure 2).

    Spearman's rho: the correlation of ranks, ties sharing their mean rank; each pair over the
    runs that have both numbers, NaN if those are fewer than three or a metric is constant.
    """
    check_frame(frame)
    table = pivot_runs(frame)
    has = table.notna().astype(int)
    with np.errstate(invalid="ignore", divide="ignore"):
        rho = table.corr(method="spearman", min_periods=FEWEST)
    return Agreement(rho, has.T @ has)


def unsupervised_agreement(frame: pd.DataFrame) -> pd.DataFrame:
    """Could models be chosen without labels? Each score against each metric (key result 4).

    One line for each data set, variant, score and metric: rho and the number of runs. Scores
    that no run has are passed over. Signs are as they come: a loss that falls as a metric rises
    gives a negative rho.
    """
    check_frame(frame)
    lines = []
    for (dataset, variant), group in frame.groupby(["dataset", "variant"], sort=False):
        rho, n = rank_correlations(group)
        here = [score for score in UNSUPERVISED if score in rho]
        others = [metric for metric in rho.columns if metric not in UNSUPERVISED]
        lines += [(dataset, variant, a, b, rho.at[a, b], n.at[a, b]) for a in here for b in others]
    return pd.DataFrame(lines, columns=["dataset", "variant", "score", "metric", "rho", "n"])
