"""The mean correlation coefficient of nonlinear ICA (Hyvarinen and Morioka 2016)."""

from numpy.typing import ArrayLike

from gordium.metrics._checks import check_continuous
from gordium.metrics._correlation import absolute_correlation


def mcc(codes: ArrayLike, factors: ArrayLike, *, seed: int = 0, rank: bool = False) -> float:
    """How well factors correlate with codes of their own, one to one: 0 to 1.

    The absolute correlations of the best assignment of codes to factors, summed and divided by
    the number of factors, so that a factor left without a code counts 0. Pearson's correlation,
    or Spearman's with `rank`. A dead code correlates with nothing. Nothing is drawn.
    """
    from scipy.optimize import linear_sum_assignment

    z, v = check_continuous(codes, factors)
    correlation = absolute_correlation(z, v, rank=rank)
    pairs = linear_sum_assignment(correlation, maximize=True)
    return float(correlation[pairs].sum() / v.shape[1])
