"""Is a score different on two variants of a data set, by how much, and how sure is that?"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from gordium.report.bootstrap import mean_intervals
from gordium.report.frame import keep
from gordium.report.significance import holm, permutation_test, sign_flip_test, welch_error


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
    `p_holm` is the p-value after Holm's correction for all lines. `n_discarded` runs were left
    out as `discard` asks.
    """
    kept = keep(frame, discard)
    used = kept.frame[np.isfinite(kept.frame["value"]) & kept.frame["variant"].isin(between)]
    lines = []
    for key, group in used.groupby(["dataset", "method", "strength", "metric"], dropna=False):
        sides = [group[group["variant"] == name].set_index("seed")["value"] for name in between]
        if all(len(side) for side in sides):
            found, alone = _of_group(sides[0], sides[1], level)
            lines.append([*key, *found, alone])
    head = ["dataset", "method", "strength", "metric", *Difference._fields, "n_unpaired"]
    table = pd.DataFrame(lines, columns=head)
    table["p_holm"] = holm(table["p"].to_numpy(dtype=np.float64))
    table["between"] = f"{between[1]} - {between[0]}"
    table["n_discarded"] = kept.n_discarded
    return table


def _of_group(first: pd.Series, second: pd.Series, level: float) -> tuple[Difference, int]:
    common = first.index.intersection(second.index)
    if len(common) < 2 or not (first.index.is_unique and second.index.is_unique):
        return unpaired_difference(first, second, level=level), 0
    found = paired_difference(first[common], second[common], level=level)
    return found, len(first) + len(second) - 2 * len(common)


def _ratio(mean: float, spread: float) -> float:
    return float(mean / spread) if spread > 0 else np.nan
