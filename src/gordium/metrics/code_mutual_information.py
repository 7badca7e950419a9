"""Mean mutual information between codes, as in the large study."""

import numpy as np
from numpy.typing import ArrayLike

from gordium.metrics._checks import check_bins, check_codes
from gordium.metrics._information import discretise, mutual_information


def code_mutual_information(codes: ArrayLike, *, seed: int = 0, bins: int = 20) -> float:
    """How much two codes tell of each other, in nats: 0 to log(bins).

    The mean of I(z_i; z_j) over the pairs i != j, each code cut into `bins` equal-width bins.
    A dead code tells nothing of the others, and its pairs count as 0. Nothing is drawn.
    """
    z = check_codes(codes, min_codes=2)
    check_bins(bins, z)
    binned = discretise(z, bins)
    shared = mutual_information(binned, binned)
    return float(shared[~np.eye(len(shared), dtype=bool)].mean())
