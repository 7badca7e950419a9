"""Is a score different on two variants of a data set, by how much, and how sure is that?"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from gordium.report.frame import find_discarded
from gordium.report.statistics.significance import holm, permutation_test, sign_flip_test
from gordium.report.statistics.student import Estimate, mean_interval, welch_interval

KEYS = ("dataset", "method", "strength", "metric")
Places = NDArray[Any]


def paired_difference(first: ArrayLike, second: ArrayLike) -> Estimate:
    """The difference of values that belong together one by one: t-interval, sign-flip test.

    The effect is in standard deviations of the differences (d_z).
    """
    values = np.asarray(second, dtype=np.float64) - np.asarray(first, dtype=np.float64)
    return mean_interval(values)._replace(p=sign_flip_test(values))


def unpaired_difference(first: ArrayLike, second: ArrayLike) -> Estimate:
    """The difference of two groups of values: Welch's interval and permutation test."""
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    return welch_interval(a, b)._replace(p=permutation_test(a, b), n=len(a) + len(b))


def differences(
    frame: pd.DataFrame, between: tuple[str, str], *, discard: Iterable[str] = ()
) -> pd.DataFrame:
    """One line for each data set, method, strength and metric that both variants have.

    Runs are paired by seed if at least two seeds are common to both variants; `n_unpaired` counts
    the values that then have no partner. Otherwise the values are compared as two groups.
    `p_holm` is the p-value after Holm's correction for all lines. `n_discarded` runs of the line
    were left out as `discard` asks; `runs`, `seeds` and `versions` are those of the two means.
    """
    marked = frame.assign(is_out=find_discarded(frame, discard))
    both = marked[marked["variant"].isin(between) & np.isfinite(marked["value"])]
    groups = both.groupby(list(KEYS), dropna=False, sort=False)
    lines = [[*key, *found] for key, group in groups if (found := _line(group, between))]
    extra = ["test", "n_unpaired", "n_discarded", "runs", "seeds", "versions"]
    table = pd.DataFrame(lines, columns=[*KEYS, *Estimate._fields, *extra])
    table["p_holm"] = holm(table["p"].to_numpy(dtype=np.float64))
    table["between"] = f"{between[1]} - {between[0]}"
    return table


def _line(group: pd.DataFrame, between: tuple[str, str]) -> list[Any] | None:
    variant, seed, value = (group[name].to_numpy() for name in ("variant", "seed", "value"))
    is_out = group["is_out"].to_numpy()
    sides = [np.flatnonzero((variant == name) & ~is_out) for name in between]
    if not all(len(side) for side in sides):
        return None
    matched = _match(seed, sides[0], sides[1])
    compare, test = (
        (unpaired_difference, "permutations")
        if matched is None
        else (paired_difference, "sign flips, paired")
    )
    first, second = matched or sides
    found = compare(value[first], value[second])
    chosen = np.concatenate([first, second])
    alone = sum(map(len, sides)) - len(chosen)
    versions = tuple(sorted(set(group["version"].to_numpy()[chosen])))
    runs, seeds = tuple(group["run"].to_numpy()[chosen]), tuple(seed[chosen].tolist())
    return [*found, test, alone, int(is_out.sum()), runs, seeds, versions]


def _match(seed: Places, first: Places, second: Places) -> tuple[Places, Places] | None:
    """The places of values with a seed that both have, in one order; None if fewer than two."""
    a, b = seed[first], seed[second]
    if len(set(a)) < len(a) or len(set(b)) < len(b):
        return None
    common, i, j = np.intersect1d(a, b, return_indices=True)
    return (first[i], second[j]) if len(common) > 1 else None
