"""How likely would a published effect have been found with so few units?"""

import numpy as np
from scipy.special import ndtr, stdtrit
from scipy.stats import chi2, nct

_STEPS = 2000


def t_test_power(effect: float, n: int, *, level: float = 0.95) -> float:
    """The chance that a two-sided t-test of `n` differences finds an effect on its own side.

    `effect` is the true mean in standard deviations of one difference. The statistic then follows
    the noncentral t with n - 1 degrees of freedom and noncentrality effect sqrt(n).
    """
    if n < 2 or not np.isfinite(effect):
        return np.nan
    limit = -float(stdtrit(n - 1, (1 - level) / 2))
    return float(nct.sf(limit, n - 1, abs(effect) * np.sqrt(n)))


def equivalence_power(margin: float, n: int, *, level: float = 0.95) -> float:
    """The chance that the interval of a mean lies within the margin where the true mean is 0.

    `margin` is in standard deviations of one value. Mean and spread of normal values are
    independent: the chance is taken over the distribution of the spread, in steps of equal weight.
    """
    if n < 2 or not np.isfinite(margin):
        return np.nan
    spread = np.sqrt(chi2.ppf((np.arange(_STEPS) + 0.5) / _STEPS, n - 1) / (n - 1))
    half = -float(stdtrit(n - 1, (1 - level) / 2)) * spread / np.sqrt(n)
    room = np.maximum(margin - half, 0.0)
    return float(np.mean(2 * ndtr(room * np.sqrt(n)) - 1))
