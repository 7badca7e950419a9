"""Total correlation of the Gaussian fitted to the codes, as in the large study."""

import numpy as np
from numpy.typing import ArrayLike

from gordium.metrics._checks import check_codes
from gordium.metrics._correlation import covariance


def gaussian_total_correlation(codes: ArrayLike, *, seed: int = 0) -> float:
    """How far the codes are from linearly independent, in nats: 0 to infinity.

    KL(N(0, S) || N(0, diag S)) = -1/2 log det R, with S the covariance and R the correlations of
    the codes. It is infinite if some code is a linear function of others. Dead codes depend on
    nothing and are left out. Nothing is drawn.
    """
    z = check_codes(codes)
    if len(z) <= z.shape[1]:
        raise ValueError(
            f"more samples than codes are needed; got {z.shape}. Among so few, some code is always "
            "a linear function of the others."
        )
    shared = covariance(z)
    scale = np.sqrt(np.diag(shared))
    if not scale.size:
        return 0.0
    spectrum = np.linalg.eigvalsh(shared / np.outer(scale, scale))
    # Rounding leaves the zeros of a singular matrix anywhere within this of zero.
    if spectrum[0] <= len(spectrum) * np.finfo(np.float64).eps * spectrum[-1]:
        return float("inf")
    return max(0.0, -0.5 * float(np.log(spectrum).sum()))
