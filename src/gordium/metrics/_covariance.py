"""The covariance of the codes that vary, shared by the metrics of the fitted Gaussian."""

import numpy as np
from numpy.typing import NDArray

from gordium.metrics._shared_work import share_result


@share_result
def covariance(codes: NDArray[np.floating]) -> NDArray[np.float64]:
    """Unbiased covariance in double precision, of the columns that are not constant."""
    alive = codes[:, (codes != codes[0]).any(axis=0)].astype(np.float64)
    centred = alive - alive.mean(axis=0)
    return centred.T @ centred / (len(codes) - 1)
