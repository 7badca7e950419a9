"""Numbers of the large study as functions of some of its seeds or settings, for a jackknife."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from gordium.arrays import Floats
from gordium.exhibits.locatello2019.names import METRICS
from gordium.report.statistics.correlation import rank
from gordium.report.statistics.transfer import transfer
from gordium.report.statistics.variance import explain

Pair = tuple[pd.DataFrame, str, str]  # runs of a data set, and two of its columns


def pivot_runs(frame: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """A table for each data set: a line for each run, with its setting and a column per metric.

    `over_pruned` says whether a run has fewer active units than factors.
    """
    names = {ours: theirs for theirs, ours in METRICS.items()}
    frame = frame.assign(setting=frame["method"] + " " + frame["strength"].astype(str))
    for data, group in frame.groupby("dataset", sort=False):
        index = ["run", "setting", "over_pruned"]
        table = group.pivot_table(index=index, columns="metric", values="value")
        yield str(data), table.rename(columns=names).reset_index()


def mean_agreement(runs: pd.DataFrame, metric: str) -> float:
    """The mean rho of a metric with each of the others."""
    found = [rank(runs[metric], runs[other]).mean for other in METRICS if other != metric]
    return float(np.mean(found))


def mean_rho(pairs: Sequence[Pair], settings: Sequence[str]) -> float:
    """The mean rank correlation of pairs of columns over the runs of some settings; NaN of none."""
    kept = [(runs[runs["setting"].isin(list(settings))], a, b) for runs, a, b in pairs]
    return float(np.mean([rank(runs[a], runs[b]).mean for runs, a, b in kept])) if kept else np.nan


class Cube(NamedTuple):
    """Values of one metric (settings, seeds), the method of each setting, and the seeds."""

    values: Floats
    methods: list[str]
    seeds: list[int]


def cube(group: pd.DataFrame, metric: str) -> Cube:
    """Arrange the values of a metric on one data set; a setting is a method with a strength."""
    used = group[group["metric"] == metric]
    table = used.pivot_table(index=["method", "strength"], columns="seed", values="value")
    methods = [str(name) for name in table.index.get_level_values(0)]
    return Cube(table.to_numpy(np.float64), methods, [int(s) for s in table.columns])


def fit_share(found: Cube, seeds: Sequence[int], *, crossed: bool, corrected: bool) -> float:
    """R^2 of a fit of the cells' means; cells are methods, or methods crossed with strengths."""
    values = found.values[:, [found.seeds.index(seed) for seed in seeds]]
    names = np.arange(len(values)) if crossed else np.unique(found.methods, return_inverse=True)[1]
    there = np.isfinite(values).ravel()
    share = explain(values.ravel()[there], np.repeat(names, values.shape[1])[there])
    return share.adjusted if corrected else share.r2


def fit_gain(found: Cube, seeds: Sequence[int]) -> float:
    """How much more strengths explain than methods alone do, both corrected."""
    one, both = (fit_share(found, seeds, crossed=c, corrected=True) for c in (False, True))
    return both - one


def transfer_shares(frame: pd.DataFrame, seeds: Sequence[int] | None) -> dict[str, float]:
    """The chance of each case of key result 4, from the runs of some seeds or of all."""
    used = frame[frame["metric"].isin(list(METRICS.values()))]
    used = used if seeds is None else used[used["seed"].isin(list(seeds))]
    whole = used.assign(active_units=np.nan, failed=False, over_pruned=False)
    return transfer(whole).chance
