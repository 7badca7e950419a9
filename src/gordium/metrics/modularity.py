"""Modularity (Ridgeway and Mozer 2018), in the estimator of the large study."""

import numpy as np
from numpy.typing import ArrayLike

from gordium.metrics._checks import check_bins, check_pair
from gordium.metrics._information import discretise, information
from gordium.metrics._kinds import Kinds

NOTHING = 1e-12  # nats; a plug-in estimate of no information differs from 0 by rounding alone
CHANCE = 2.0  # nats sqrt(rows); an estimate by neighbours of none differs by a third of it


def modularity(
    codes: ArrayLike,
    factors: ArrayLike,
    *,
    seed: int = 0,
    bins: int = 20,
    reference: bool = False,
    kinds: Kinds | None = None,
) -> float:
    """How nearly each code tells of one factor alone: 0 to 1.

    The mean over codes j of 1 - sum_{k != a} m_jk^2 / (m_ja^2 (K - 1)), where m is the mutual
    information, a the factor that code j tells most of, and K the number of factors. Codes are
    cut into `bins` equal-width bins; of a real factor m is estimated by 3 nearest neighbours
    (Kraskov et al. 2004). A code that tells of no factor has no modularity and is
    left out; `reference` counts it as 0, as the large study does. Without any telling code the
    score is 0. Nothing is drawn.
    """
    z, v = check_pair(codes, factors, kinds=kinds)
    check_bins(bins, z)
    if len(v) < 2:
        raise ValueError("at least 2 factors are needed; got 1.")
    squared = information(z, discretise(z, bins), v) ** 2
    most = squared.max(axis=1)
    nothing = np.where(v.is_real, CHANCE / np.sqrt(len(z)), NOTHING)
    telling = (squared > nothing**2).any(axis=1)
    rest = squared[telling].sum(axis=1) / most[telling] - 1
    scores = 1 - rest / (len(v) - 1)
    counted = len(most) if reference else max(len(scores), 1)
    return float(scores.sum() / counted)
