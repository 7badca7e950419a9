"""Is a score different on two variants of a data set, by how much, and how sure is that?"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from gordium.report.bootstrap import mean_intervals
from gordium.report.frame import check_flags, check_frame
from gordium.report.significance import holm, permutation_test, sign_flip_test, welch_error

KEYS = ("dataset", "method", "strength", "metric")
Places = NDArray[Any]


class Difference(NamedTuple):
    """Second mean minus first, with its interval, two-sided p-value and effect size.

    `effect` is in standard deviations: of the differences (d_z) if paired, else the pooled one
    with the correction for few values (Hedges' g).
    """

    mean: float
    low: float
    high: float
    p: float
    effect: float
    n: int
    test: str


def paired_difference(first: ArrayLike, second: ArrayLike, *, level: float = 0.95) -> Difference:
    """Of values that belong together one by one: sign-flip test and bootstrap interval."""
    values = np.asarray(second, dtype=np.float64) - np.asarray(first, dtype=np.float64)
    low, high = mean_intervals(values, level=level)[0]
    mean, spread = values.mean(), values.std(ddof=1) if len(values) > 1 else np.nan
    effect = _ratio(mean, spread)
    return Difference(
        float(mean), low, high, sign_flip_test(values), effect, len(values), "sign flips, paired"
    )


def unpaired_difference(first: ArrayLike, second: ArrayLike, *, level: float = 0.95) -> Difference:
    """Of values that do not belong together: permutation test and Welch's interval."""
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    mean, n = float(b.mean() - a.mean()), len(a) + len(b)
    p = permutation_test(a, b)
    if min(len(a), len(b)) < 2:
        return Difference(mean, np.nan, np.nan, p, np.nan, n, "permutations")
    error, freedom = welch_error(a, b)
    half = -stdtrit(freedom, (1 - level) / 2) * error if error > 0 else 0.0
    pooled = np.sqrt(((len(a) - 1) * a.var(ddof=1) + (len(b) - 1) * b.var(ddof=1)) / (n - 2))
    effect = _ratio(mean, pooled) * (1 - 3 / (4 * n - 9))
    return Difference(mean, mean - half, mean + half, p, effect, n, "permutations")


def differences(
    frame: pd.DataFrame,
    between: tuple[str, str] = ("original", "modified"),
    *,
    discard: Iterable[str] = (),
    level: float = 0.95,
) -> pd.DataFrame:
    """One line for each data set, method, strength and metric that both variants have.

    Runs are paired by seed where at least two seeds are common to both; `n_unpaired` counts the
    values that then have no partner. Where that cannot be, the values are taken as two groups.
    `p_holm` is the p-value after Holm's correction for all lines. `n_discarded` runs of the line
    were left out as `discard` asks; `runs`, `seeds` and `versions` are those of the two means.
    """
    check_frame(frame)
    flags = check_flags(discard)
    both = frame[frame["variant"].isin(between) & np.isfinite(frame["value"])]
    is_out = both[flags].any(axis=1) if flags else False
    groups = both.assign(is_out=is_out).groupby(list(KEYS), dropna=False, sort=False)
    lines = [[*key, *found] for key, group in groups if (found := _line(group, between, level))]
    extra = ["n_unpaired", "n_discarded", "runs", "seeds", "versions"]
    table = pd.DataFrame(lines, columns=[*KEYS, *Difference._fields, *extra])
    table["p_holm"] = holm(table["p"].to_numpy(dtype=np.float64))
    table["between"] = f"{between[1]} - {between[0]}"
    return table


def _line(group: pd.DataFrame, between: tuple[str, str], level: float) -> list[Any] | None:
    variant, seed, value = (group[name].to_numpy() for name in ("variant", "seed", "value"))
    is_out = group["is_out"].to_numpy()
    sides = [np.flatnonzero((variant == name) & ~is_out) for name in between]
    if not all(len(side) for side in sides):
        return None
    matched = _matched(seed, sides[0], sides[1])
    compare = unpaired_difference if matched is None else paired_difference
    first, second = matched or sides
    found = compare(value[first], value[second], level=level)
    chosen = np.concatenate([first, second])
    alone = sum(map(len, sides)) - len(chosen)
    versions = tuple(sorted(set(group["version"].to_numpy()[chosen])))
    runs, seeds = tuple(group["run"].to_numpy()[chosen]), tuple(seed[chosen].tolist())
    return [*found, alone, int(is_out.sum()), runs, seeds, versions]


def _matched(seed: Places, first: Places, second: Places) -> tuple[Places, Places] | None:
    """The places of both that have a seed in common, in the same order; None without two."""
    a, b = seed[first], seed[second]
    if len(set(a)) < len(a) or len(set(b)) < len(b):
        return None
    common, i, j = np.intersect1d(a, b, return_indices=True)
    return (first[i], second[j]) if len(common) > 1 else None


def _ratio(mean: float, spread: float) -> float:
    return float(mean / spread) if spread > 0 else np.nan
