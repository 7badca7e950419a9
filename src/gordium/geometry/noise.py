"""The energy of the noise that a data set is known to add to its images."""

import numpy as np

from gordium.datasets import Dataset
from gordium.factors import Integers

MANY = 500


def noise_energy(dataset: Dataset, indices: Integers) -> float:
    """The variance of an image's known noise, summed over pixels; 0 if none was added.

    `Noisy` adds known noise. Its variance, with the folding at black and white, is half the mean
    squared difference to the same data set with another seed.
    """
    other = dataset.with_fresh_noise()
    if other.declaration == dataset.declaration:
        return 0.0
    some = indices[:MANY]
    first, second = (d.images(some).reshape(len(some), -1) / 255 for d in (dataset, other))
    return float(np.square(first - second).sum(axis=1).mean() / 2)
