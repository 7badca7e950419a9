"""The mutual information gap with bins that hold equally many samples."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.arrays import Integers
from gordium.metrics._checks import check_bins, check_pair
from gordium.metrics._information import information, information_gap
from gordium.metrics._kinds import Kinds


def mig_equal_frequency(
    codes: ArrayLike,
    factors: ArrayLike,
    *,
    seed: int = 0,
    bins: int = 20,
    kinds: Kinds | None = None,
) -> float:
    """How much more the best code tells of a factor than the runner-up does: 0 to 1.

    `mig` with each code cut into `bins` bins of equally many samples, by its ranks: no outlier
    empties the bins, and any increasing map of a code leaves the score as it is. Equal values
    share a bin, that of their mean rank. Real factors are cut into 20 such bins. Nothing is drawn.
    """
    z, v = check_pair(codes, factors, kinds=kinds, min_codes=2, reals="binned")
    check_bins(bins, z)
    return information_gap(information(z, _by_rank(z, bins), v), v)


def _by_rank(z: NDArray[np.floating], bins: int) -> Integers:
    from scipy.stats import rankdata

    # Mean ranks are multiples of 1/2, so whole numbers hold twice their value exactly.
    twice = np.rint(2 * rankdata(z, axis=0)).astype(np.int64) - 1
    return twice * bins // (2 * len(z))
