"""Do hyperparameters that were good once do well elsewhere? (Locatello et al. 2019, result 4)"""

from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd

from gordium.arrays import Floats, Integers
from gordium.report.frame import check_frame
from gordium.report.statistics.correlation import rank
from gordium.report.statistics.student import Estimate

CASES = (
    "same metric, same data set",
    "same metric, other data set",
    "other metric, same data set",
    "other metric, other data set",
)


class Transfer(NamedTuple):
    """The chance of each case, NaN where it cannot arise, and how many comparisons there are."""

    chance: dict[str, float]
    comparisons: dict[str, int]


def transfer(frame: pd.DataFrame, *, variant: str = "original") -> Transfer:
    """How often does a transferred setting do at least as well as a random one?

    A trial: draw a metric, a data set and a seed, and take the setting (method and strength)
    with the highest value there; the first of equals. Then draw another seed and a random
    setting, and compare the two at that seed, on the same or another metric and data set. The
    share of trials in which the taken setting is better or equal is computed exactly, from all
    possible trials (the paper draws 10,000). The random setting may be the taken one, which
    counts as equal, so noise alone gives a little over one half: (m + 1) / 2m with m settings.
    Metrics must be such that higher is better.
    """
    check_frame(frame)
    used = frame[frame["variant"] == variant]
    names = sorted(set(zip(used["metric"], used["dataset"], strict=True)))
    cubes = _cubes(used, names)
    taken = {name: _take_best(cube) for name, cube in cubes.items()}
    matched = {name: _rank_share(cube) for name, cube in cubes.items()}
    shares: dict[str, list[float]] = {case: [] for case in CASES}
    counts = dict.fromkeys(CASES, 0)
    for source, target in product(names, names):
        found = _share_matched(taken[source], matched[target])
        case = _case(source, target)
        counts[case] += len(found)
        shares[case] += [float(found.mean())] if len(found) else []
    chance = {case: float(np.mean(some)) if some else np.nan for case, some in shares.items()}
    return Transfer(chance, counts)


def settings_agreement(frame: pd.DataFrame, first: str, second: str, metric: str) -> Estimate:
    """Do settings that score well on one data set score well on another?

    Spearman's rho of mean values over seeds, over the settings that both data sets have.
    """
    used = frame[frame["metric"] == metric]
    means = used.groupby(["dataset", "method", "strength"])["value"].mean().unstack(0)
    both = means.reindex(columns=[first, second])
    return rank(both[first], both[second])


def _case(source: tuple[str, str], target: tuple[str, str]) -> str:
    same_metric, same_dataset = source[0] == target[0], source[1] == target[1]
    return CASES[2 * (not same_metric) + (not same_dataset)]


def _cubes(used: pd.DataFrame, names: list[tuple[str, str]]) -> dict[tuple[str, str], Floats]:
    """The values of each metric and data set as (settings, seeds), NaN where there is none."""
    setting = used.groupby(["method", "strength"], dropna=False).ngroup().to_numpy()
    seeds, seed = np.unique(used["seed"], return_inverse=True)
    values = used["value"].where(np.isfinite(used["value"])).to_numpy(dtype=np.float64)
    place = {name: i for i, name in enumerate(names)}
    pairs = zip(used["metric"], used["dataset"], strict=True)
    which = np.array([place[pair] for pair in pairs], dtype=int)
    table = np.full((len(names), setting.max(initial=-1) + 1, len(seeds)), np.nan)
    table[which, setting, seed] = values
    return dict(zip(names, table, strict=True))


def _take_best(cube: Floats) -> Integers:
    """The best setting at each seed; -1 where there is none."""
    best = np.argmax(np.where(np.isfinite(cube), cube, -np.inf), axis=0)
    return np.where(np.isfinite(cube).any(axis=0), best, -1)


def _share_matched(taken: Integers, matched: Floats) -> Floats:
    """The share of settings that the one taken at each seed matches at each other seed."""
    shares = matched[taken]
    is_trial = np.isfinite(shares) & (taken >= 0)[:, None] & ~np.eye(len(taken), dtype=bool)
    return shares[is_trial]


def _rank_share(values: Floats) -> Floats:
    """The share of settings whose value is not higher, for each setting and seed."""
    ranks = pd.DataFrame(values).rank(axis=0, method="max").to_numpy()
    there = np.isfinite(values).sum(axis=0)
    return ranks / np.where(there, there, 1)
