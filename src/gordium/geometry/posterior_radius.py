"""How far a VAE's posterior noise reaches, measured in the generating factors."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gordium.arrays import Floats, Integers
from gordium.datasets import Dataset
from gordium.geometry.differences import factor_jacobians
from gordium.geometry.places import grid_stencil
from gordium.geometry.stencils import CENTRE

# A function from images (n, c, h, w) to means and standard deviations (n, d) of posteriors.
Posterior = Callable[[NDArray[Any]], tuple[NDArray[Any], NDArray[Any]]]


def posterior_radius(
    posterior: Posterior, dataset: Dataset, *, n: int = 200, seed: int = 0
) -> Floats:
    """The step of each factor that moves codes by one standard deviation of their posterior.

    Steps are in standard deviations of the factor. For factor k it is the median over `n` points
    of 1 / |S^-1 dmu/dw_k|, with the posterior's deviations S at the point and the slope of its
    mean by central differences over one grid step. Passive units have slopes near 0 and hardly
    count. The step is infinite for a factor that no code depends on.
    """
    stencil = grid_stencil(dataset)
    cells = stencil.draw(n, np.random.default_rng(seed))

    def means(values: Integers) -> NDArray[Any]:
        return posterior(dataset.images(dataset.index_of(values)))[0]

    slopes = factor_jacobians(means, stencil, cells)
    _, deviations = posterior(dataset.images(dataset.index_of(cells[:, :, CENTRE])))
    moved = np.linalg.norm(slopes / np.asarray(deviations)[:, :, None], axis=1)
    with np.errstate(divide="ignore"):
        return np.median(1 / moved.astype(np.float64), axis=0)
