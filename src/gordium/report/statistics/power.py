"""How likely would a published effect have been found with so few units?"""

import numpy as np
from scipy.special import stdtrit
from scipy.stats import nct


def t_test_power(effect: float, n: int, *, level: float = 0.95) -> float:
    """The chance that a two-sided t-test of `n` differences finds an effect on its own side.

    `effect` is the true mean in standard deviations of one difference. The statistic then follows
    the noncentral t with n - 1 degrees of freedom and noncentrality effect sqrt(n).
    """
    if n < 2 or not np.isfinite(effect):
        return np.nan
    limit = -float(stdtrit(n - 1, (1 - level) / 2))
    return float(nct.sf(limit, n - 1, abs(effect) * np.sqrt(n)))
