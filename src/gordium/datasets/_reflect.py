"""Adding a change to images such that no value leaves the range and none is clipped."""

import numpy as np
from numpy.typing import NDArray

from gordium.datasets.base import Images

Floats = NDArray[np.float32]


def reflect(x: Floats) -> Floats:
    """Values in [-1, 2] folded back into [0, 1]: x - 2 ReLU(x - 1) + 2 ReLU(-x).

    Supplement B.1 of Zietlow et al. (2021). Folding moves a value no further from any point of
    [0, 1] than it was, so a change of at most epsilon stays one.
    """
    folded = np.abs(x)
    np.subtract(1, folded, out=folded)
    np.abs(folded, out=folded)
    return np.subtract(1, folded, out=folded)


def add_change(images: Images, change: Floats) -> Images:
    """uint8 images plus a change in units of the full range, folded and rounded."""
    x = np.multiply(images, np.float32(1 / 255), dtype=np.float32)
    x += change
    x = reflect(x)
    x *= np.float32(255)
    x += np.float32(0.5)
    return x.astype(np.uint8)


def check_epsilon(epsilon: float) -> None:
    if not 0 <= epsilon <= 1:
        raise ValueError(f"epsilon must lie in 0 to 1, the range of a pixel; got {epsilon}.")
