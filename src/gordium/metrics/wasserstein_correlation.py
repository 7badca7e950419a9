"""Wasserstein correlation of the Gaussian fitted to the codes, as in the large study."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gordium.metrics._checks import check_codes
from gordium.metrics._correlation import covariance


class WassersteinCorrelation(NamedTuple):
    """The squared distance, and the same divided by the total variance of the codes."""

    distance: float
    normalised: float


def wasserstein_correlation(codes: ArrayLike, *, seed: int = 0) -> WassersteinCorrelation:
    """How far the codes are from linearly independent, in squared units of the codes.

    W2^2(N(0, S), N(0, D)) = 2 tr S - 2 tr (D^1/2 S D^1/2)^1/2, with S the covariance of the
    codes and D its diagonal. The root is of a symmetric matrix, so that singular covariances
    give a real number. Dead codes add nothing. Nothing is drawn.
    """
    shared = covariance(check_codes(codes))
    scale = np.sqrt(np.diag(shared))
    spectrum = np.linalg.eigvalsh(shared * np.outer(scale, scale))
    total = float(np.trace(shared))
    distance = max(2 * total - 2 * float(np.sqrt(spectrum.clip(min=0)).sum()), 0.0)
    return WassersteinCorrelation(distance, distance / total if total else 0.0)
