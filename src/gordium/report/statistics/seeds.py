"""Mean, standard deviation and interval over seeds, with bad runs counted."""

from collections.abc import Iterable
from typing import Protocol

import numpy as np
import pandas as pd

from gordium.report.frame import SETTING, find_discarded
from gordium.report.statistics.student import mean_interval

GROUP = [*SETTING, "metric"]


class SeedLine(Protocol):
    """A line of `seed_summary` as `itertuples` gives it, but for the columns of its group."""

    mean: float
    std: float
    low: float
    high: float
    n: int
    n_runs: int
    n_failed: int
    n_over_pruned: int
    n_discarded: int
    n_missing: int
    runs: tuple[str, ...]
    seeds: tuple[int, ...]
    versions: tuple[str, ...]


def seed_summary(frame: pd.DataFrame, *, discard: Iterable[str] = ()) -> pd.DataFrame:
    """One line for each setting and metric: mean, std (n - 1), the mean's t-interval, and counts.

    `n` values enter the mean. Of `n_runs` in all, `n_failed` failed, `n_over_pruned` were
    over-pruned, `n_discarded` were left out because `discard` names their flag, and `n_missing`
    have no finite value. A group of which nothing is left stays, with n = 0. `runs`, `seeds` and
    `versions` say where the mean comes from.
    """
    is_discarded = find_discarded(frame, discard)
    marked = frame.assign(is_discarded=is_discarded, is_finite=np.isfinite(frame["value"]))
    is_used = marked["is_finite"] & ~marked["is_discarded"]
    found = _counts(marked).join(_numbers(marked[is_used]))
    found["n"] = found["n"].fillna(0).astype(int)
    for name in ("runs", "seeds", "versions"):
        found[name] = [value if isinstance(value, tuple) else () for value in found[name]]
    return found.reset_index()


def _counts(marked: pd.DataFrame) -> pd.DataFrame:
    marked = marked.assign(is_missing=~marked["is_finite"] & ~marked["is_discarded"])
    groups = marked.groupby(GROUP, dropna=False, sort=False)
    counts = groups[["failed", "over_pruned", "is_discarded", "is_missing"]].sum().astype(int)
    counts.columns = ["n_failed", "n_over_pruned", "n_discarded", "n_missing"]
    counts.insert(0, "n_runs", groups.size())
    return counts


def _numbers(used: pd.DataFrame) -> pd.DataFrame:
    groups = used.groupby(GROUP, dropna=False, sort=False)
    found = groups["value"].agg(n="size", mean="mean", std="std")
    ends = [mean_interval(values)[1:3] for _, values in groups["value"]]
    found[["low", "high"]] = np.array(ends, dtype=np.float64).reshape(-1, 2)
    found["runs"] = [tuple(runs) for _, runs in groups["run"]]
    found["seeds"] = [tuple(seeds) for _, seeds in groups["seed"]]
    found["versions"] = [tuple(sorted(set(names))) for _, names in groups["version"]]
    return found
