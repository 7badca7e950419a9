"""Student's 95 % intervals and tests: of means, of differences, and of jackknifed numbers.

And their power: how likely would a published effect have been found with so few units?
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, stdtr, stdtrit
from scipy.stats import chi2, nct

from gordium.arrays import Floats

_STEPS = 2000
_TAIL = (1 - 0.95) / 2  # of the distribution on either side of an interval
_ROUNDING = 1e-12  # of the largest value: a spread that is smaller is none
Unit = TypeVar("Unit")


class Estimate(NamedTuple):
    """A number with its interval and the two-sided p-value of "it is 0".

    `n` counts the independent units; `effect` is the estimate in standard deviations of one.
    Fewer than two units have no interval, no p-value and no effect: NaN. Units that are all alike
    have no p-value and no effect either, and both ends are their mean: `has_spread` says so.
    """

    mean: float
    low: float
    high: float
    p: float
    effect: float
    n: int

    @property
    def has_spread(self) -> bool:
        """Whether the units differ, so that the interval says anything."""
        return bool(self.low < self.high)

    def move(self, by: float) -> "Estimate":
        """The estimate of the same number plus a constant; p and effect are not kept."""
        return Estimate(self.mean + by, self.low + by, self.high + by, np.nan, np.nan, self.n)

    def __str__(self) -> str:
        """`0.13 [0.10, 0.17]`, or the number alone where there is no interval."""
        ends = f" [{self.low:.2f}, {self.high:.2f}]" if np.isfinite(self.low) else ""
        return f"{self.mean:.2f}{ends}"


def mean_interval(values: ArrayLike) -> Estimate:
    """The interval of a mean: mean -+ t s / sqrt(n), with n - 1 degrees of freedom."""
    found = np.asarray(values, dtype=np.float64)
    return _interval(float(found.mean()) if len(found) else np.nan, found)


def paired_interval(first: ArrayLike, second: ArrayLike) -> Estimate:
    """The interval of the mean of second minus first, which belong together one by one."""
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    return mean_interval(b - a)


def welch_interval(first: ArrayLike, second: ArrayLike) -> Estimate:
    """The interval of a difference of means, second minus first, whose variances may differ.

    `n` is the size of the smaller group. The effect is Hedges' g: in pooled standard deviations,
    corrected for few values.
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    mean, n = float(b.mean() - a.mean()), min(len(a), len(b))
    if n < 2:
        return Estimate(mean, *4 * (np.nan,), n)
    free = len(a) + len(b) - 2
    pooled = np.sqrt(((len(a) - 1) * a.var(ddof=1) + (len(b) - 1) * b.var(ddof=1)) / free)
    ends = _welch_ends(mean, (a.var(ddof=1), b.var(ddof=1)), (len(a), len(b)))
    return Estimate(*ends, effect=_ratio(mean, float(pooled)) * (1 - 3 / (4 * free - 1)), n=n)


def welch_interval_of(
    first: tuple[float, float], second: tuple[float, float], n_first: int, n_second: int
) -> Estimate:
    """`welch_interval` of published means and deviations (mean, std), without an effect."""
    variances = first[1] ** 2, second[1] ** 2
    ends = _welch_ends(second[0] - first[0], variances, (n_first, n_second))
    return Estimate(*ends, effect=np.nan, n=min(n_first, n_second))


def _welch_ends(
    mean: float, variances: tuple[float, float], sizes: tuple[int, int]
) -> tuple[float, float, float, float]:
    """`_ends` of a difference of two groups, with Welch's degrees of freedom."""
    parts = [variance / n for variance, n in zip(variances, sizes, strict=True)]
    smaller = sum(part**2 / (n - 1) for part, n in zip(parts, sizes, strict=True))
    freedom = float(sum(parts) ** 2 / smaller) if smaller > 0 else np.inf
    return _ends(mean, float(np.sqrt(sum(parts))), freedom)


def jackknife_interval(
    statistic: Callable[[Sequence[Unit]], float], units: Sequence[Unit]
) -> Estimate:
    """The interval of any number that depends on units, from Tukey's pseudo-values.

    The pseudo-value of a unit is n f(all) - (n - 1) f(all but it). If f is the mean, these are the
    values themselves.
    """
    n, whole = len(units), statistic(units)
    if n < 2:
        return Estimate(whole, *4 * (np.nan,), n)
    without = [statistic([*units[:i], *units[i + 1 :]]) for i in range(n)]
    return _interval(whole, n * whole - (n - 1) * np.array(without))


def ratio_interval(first: ArrayLike, second: ArrayLike) -> Estimate:
    """The mean of second over that of first, with the jackknife's interval.

    The values belong together one by one.
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    return jackknife_interval(_divide_means, list(zip(a, b, strict=True)))


def _divide_means(pairs: Sequence[tuple[float, float]]) -> float:
    first, second = np.mean(pairs, axis=0)
    return float(second / first)


def _interval(mean: float, values: Floats) -> Estimate:
    """The interval of a mean from the values of its units."""
    n = len(values)
    if n < 2:
        return Estimate(mean, *4 * (np.nan,), n)
    spread = _measure_spread(values)
    ends = _ends(mean, spread / np.sqrt(n), n - 1)
    return Estimate(*ends, effect=_ratio(mean, spread), n=n)


def _ends(mean: float, error: float, freedom: float) -> tuple[float, float, float, float]:
    """The mean, both ends and the p-value; without any spread nothing was tested."""
    if error == 0:
        return mean, mean, mean, np.nan
    half = float(-stdtrit(freedom, _TAIL) * error)
    p = float(2 * stdtr(freedom, -abs(mean) / error))
    return mean, mean - half, mean + half, p


def _measure_spread(values: Floats) -> float:
    """The standard deviation of values, 0 where they differ by rounding alone."""
    spread = float(values.std(ddof=1))
    return spread if spread > _ROUNDING * float(np.abs(values).max()) else 0.0


def _ratio(mean: float, spread: float) -> float:
    return float(mean / spread) if spread > 0 else np.nan


def t_test_power(effect: float, n: int) -> float:
    """The chance that a two-sided t-test of `n` differences finds an effect on its own side.

    `effect` is the true mean in standard deviations of one difference. The statistic then follows
    the noncentral t with n - 1 degrees of freedom and noncentrality effect sqrt(n).
    """
    if n < 2 or not np.isfinite(effect):
        return np.nan
    limit = -float(stdtrit(n - 1, _TAIL))
    return float(nct.sf(limit, n - 1, abs(effect) * np.sqrt(n)))


def equivalence_power(margin: float, n: int) -> float:
    """The chance that the interval of a mean lies within the margin where the true mean is 0.

    `margin` is in standard deviations of one value. Mean and spread of normal values are
    independent: the chance is taken over the distribution of the spread, in steps of equal weight.
    """
    if n < 2 or not np.isfinite(margin):
        return np.nan
    spread = np.sqrt(chi2.ppf((np.arange(_STEPS) + 0.5) / _STEPS, n - 1) / (n - 1))
    half = -float(stdtrit(n - 1, _TAIL)) * spread / np.sqrt(n)
    room = np.maximum(margin - half, 0.0)
    return float(np.mean(2 * ndtr(room * np.sqrt(n)) - 1))
