"""The mutual information gap with bins that hold equally many samples."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from gordium.metrics._checks import check_bins, check_pair
from gordium.metrics._information import information_gap, mutual_information


def mig_equal_frequency(
    codes: ArrayLike, factors: ArrayLike, *, seed: int = 0, bins: int = 20
) -> float:
    """How much more the best code tells of a factor than the runner-up does: 0 to 1.

    `mig` with each code cut into `bins` bins of equally many samples, by its ranks: no outlier
    empties the bins, and any increasing map of a code leaves the score as it is. Equal values
    share a bin, that of their mean rank. Nothing is drawn.
    """
    z, v = check_pair(codes, factors, min_codes=2)
    check_bins(bins, z)
    shared = mutual_information(_by_rank(z, bins), v)
    return information_gap(shared, v)


def _by_rank(z: NDArray[np.floating], bins: int) -> NDArray[np.int64]:
    # Mean ranks are multiples of 1/2, so that whole numbers place them exactly.
    twice = np.rint(2 * rankdata(z, axis=0)).astype(np.int64) - 1
    return twice * bins // (2 * len(z))
