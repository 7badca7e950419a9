"""Do hyperparameters that were good once do well again? (Locatello et al. 2019, key result 4)"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gordium.report.frame import Kept, keep

Cube = NDArray[np.float64]
CASES = (
    "same metric, same data set",
    "same metric, other data set",
    "other metric, same data set",
    "other metric, other data set",
)


class Transfer(NamedTuple):
    """The chance of each case, NaN where it cannot arise; how many comparisons; runs left out."""

    chance: dict[str, float]
    comparisons: dict[str, int]
    kept: Kept


def transfer(
    frame: pd.DataFrame,
    *,
    metrics: Sequence[str] | None = None,
    variant: str = "original",
    discard: Iterable[str] = (),
) -> Transfer:
    """How often does a transferred setting do at least as well as a random one?

    A trial: draw a metric, a data set and a seed, and take the setting (method and strength)
    with the highest value there; the first of equals. Then draw another seed and a random
    setting, and compare the two at that seed, on the same or another metric and data set. The
    share of trials in which the taken setting is better or equal is found by going through all
    of them (the paper draws 10,000), each draw as likely as the next. The random setting may be
    the taken one, which counts as equal, so noise alone gives a little over one half:
    (m + 1) / 2m with m settings. Metrics must be such that higher is better.
    """
    kept = keep(frame[frame["variant"] == variant], discard)
    used = kept.frame
    if metrics is not None:
        used = used[used["metric"].isin(metrics)]
    names = sorted(set(zip(used["metric"], used["dataset"], strict=True)))
    cubes = _cubes(used, names)
    means: dict[str, list[float]] = {case: [] for case in CASES}
    counts = dict.fromkeys(CASES, 0)
    for source in names:
        for target in names:
            case = _case(source, target)
            share, n = _shares(cubes[source], cubes[target])
            counts[case] += n
            if n:
                means[case].append(share)
    chance = {case: float(np.mean(shares)) if shares else np.nan for case, shares in means.items()}
    return Transfer(chance, counts, kept)


def _case(source: tuple[str, str], target: tuple[str, str]) -> str:
    same_metric, same_dataset = source[0] == target[0], source[1] == target[1]
    return CASES[2 * (not same_metric) + (not same_dataset)]


def _cubes(used: pd.DataFrame, names: list[tuple[str, str]]) -> dict[tuple[str, str], Cube]:
    """For each metric and data set the values as (settings, seeds), NaN where there is none."""
    setting = used.groupby(["method", "strength"], dropna=False).ngroup().to_numpy()
    seeds, seed = np.unique(used["seed"], return_inverse=True)
    values = used["value"].where(np.isfinite(used["value"])).to_numpy(dtype=np.float64)
    place = {name: i for i, name in enumerate(names)}
    pairs = zip(used["metric"], used["dataset"], strict=True)
    which = np.array([place[pair] for pair in pairs], dtype=int)
    table = np.full((len(names), setting.max(initial=-1) + 1, len(seeds)), np.nan)
    table[which, setting, seed] = values
    return dict(zip(names, table, strict=True))


def _shares(source: Cube, target: Cube) -> tuple[float, int]:
    """Mean share of settings that the one taken at each seed matches at the other seeds."""
    taken = [int(np.nanargmax(c)) if np.isfinite(c).any() else -1 for c in source.T]
    matched = _matched(target)
    found = [
        matched[best, t]
        for s, best in enumerate(taken)
        for t in range(target.shape[1])
        if best >= 0 and t != s and np.isfinite(matched[best, t])
    ]
    return (float(np.mean(found)), len(found)) if found else (np.nan, 0)


def _matched(values: Cube) -> Cube:
    """For each setting and seed: the share of settings there with a value that is no higher."""
    ranks = pd.DataFrame(values).rank(axis=0, method="max").to_numpy()
    there = np.isfinite(values).sum(axis=0)
    return ranks / np.where(there, there, 1)
