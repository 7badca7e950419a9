"""Noise with the energy of a change, within the same bound."""

from dataclasses import replace

import numpy as np

from gordium.datasets import Dataset, Noisy


def draw_equal_noise(base: Dataset, modified: Dataset, epsilon: float, seed: int) -> Noisy:
    """Draw noise of a change's energy, at most `epsilon` in size: every value moves by one size.

    Uniform noise has less energy than a change of the same bound. Values that leave the pixel
    range are reflected, so the size is corrected once by the energy that was measured.
    """
    wanted = measure_size(base, modified)
    first = Noisy(base, round(wanted, 4), seed, two_valued=True)
    came = measure_size(base, first)
    size = wanted**2 / came if came else 0.0
    return replace(first, epsilon=min(round(size, 4), epsilon))


def measure_size(base: Dataset, changed: Dataset, most: int = 2000) -> float:
    """The root mean square of a change over all images, or over evenly spaced ones of many."""
    n = len(base)
    indices = np.arange(n) if n <= most else np.linspace(0, n - 1, most).astype(np.int64)
    before, after = (each.images(indices).astype(np.float64) for each in (base, changed))
    return float(np.sqrt(np.square((after - before) / 255).mean()))
