"""The mutual information gap (Chen et al. 2018), in the estimator of the large study."""

from numpy.typing import ArrayLike

from gordium.metrics._checks import check_bins, check_pair
from gordium.metrics._information import discretise, information, information_gap
from gordium.metrics._kinds import Kinds


def mig(
    codes: ArrayLike,
    factors: ArrayLike,
    *,
    seed: int = 0,
    bins: int = 20,
    kinds: Kinds | None = None,
) -> float:
    """How much more the best code tells of a factor than the runner-up does: 0 to 1.

    Eq. 1 of Zietlow et al. 2021: the mean over factors w of (I(w; z_a) - I(w; z_b)) / H(w),
    where a and b are the two codes most informative of w. Codes are cut into `bins`
    equal-width bins. Of a real factor I is estimated by 3 nearest neighbours (Kraskov et al.
    2004), and 1 - exp(-2 I) takes the place of I / H. Nothing is drawn: `seed` is there because
    every metric takes one.
    """
    z, v = check_pair(codes, factors, kinds=kinds, min_codes=2)
    check_bins(bins, z)
    return information_gap(information(z, discretise(z, bins), v), v)
