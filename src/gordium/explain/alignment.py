"""Where a run's units and its decoder point, beside the data's own directions."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from gordium.explain.subject import Subject
from gordium.geometry import jacobian, neighbour_jacobians
from gordium.geometry.alignment import mean_angles
from gordium.geometry.places import slopes_at_points
from gordium.training.pixels import as_floats

POINTS, POOL, NEIGHBOURS = 50, 5000, 50
ANGLES = {
    "units_to_factors": "units and factors",
    "units_to_components": "units and local principal components of the data",
    "decoder_to_components": "the decoder's and the data's principal components",
    "components_to_factors": "the data's principal components and factors",
}


def alignment(about: Subject) -> dict[str, float] | None:
    """Mean angles in degrees between each direction in image space and its nearest.

    None if there is no decoder, a factor does not vary, or samples are too few to see slopes.
    """
    if not about.kind.has_decoder or not _has_slopes(about):
        return None
    images, factors = _slopes_around(about)
    with torch.no_grad():
        codes = about.run.model.encode(as_floats(images, about.x.device)).mean
    units = jacobian(about.decoder, codes).flatten(1, -2).cpu().numpy()
    return mean_angles(list(ANGLES), units, factors)


def _has_slopes(about: Subject) -> bool:
    data = about.dataset
    vary = all(factor.kind == "continuous" or factor.size > 1 for factor in data.factors)
    return vary and (data.is_grid or len(data) > NEIGHBOURS)


def _slopes_around(about: Subject) -> tuple[NDArray[Any], NDArray[Any]]:
    """Some images, and how the data change with the factors there: slopes (n, pixels, k)."""
    rng = np.random.default_rng(about.seed)
    data = about.dataset
    if not data.is_grid:
        pool = rng.permutation(len(data))[:POOL]
        images = data.images(pool)
        at = np.arange(min(POINTS, len(pool)))
        flat = images.reshape(len(images), -1)
        slopes = neighbour_jacobians(flat, data.factors_at(pool), at, neighbours=NEIGHBOURS)
        return images[at], slopes
    return slopes_at_points(data, POINTS, rng)
