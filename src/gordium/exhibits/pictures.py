"""Pictures of models and changes, as arrays for figures: uint8 (h, w, c), or floats."""

import numpy as np
from numpy.typing import NDArray

from gordium.datasets import Dataset
from gordium.manipulation import Manipulation
from gordium.study.pictures import Pictures, originals, reconstructions, some_indices, traversals

__all__ = ["Pictures", "changes", "originals", "reconstructions", "some_indices", "traversals"]


def changes(manipulation: Manipulation, dataset: Dataset, indices: NDArray[np.int64]) -> Pictures:
    """m(w) of some images, in units of epsilon."""
    found = manipulation.changes(dataset.factors_at(indices)) / manipulation.epsilon
    return list(found.transpose(0, 2, 3, 1))
