"""Adding a change to images such that values stay in range without being clipped."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from gordium.datasets.base import Dataset, Images, Overlay
from gordium.datasets.buffers import reuse_array

if TYPE_CHECKING:
    from torch import Tensor  # images need no PyTorch

Floats = NDArray[np.float32]
V = TypeVar("V", Floats, "Tensor")
BLOCK = 16  # images worked on at once; more would not fit into the processor's cache


def reflect(x: V) -> V:
    """Fold the values in [-1, 2] of an array or a tensor back into [0, 1].

    Supplement B.1 of Zietlow et al. (2021) writes this as x - 2 ReLU(x - 1) + 2 ReLU(-x).
    Folding moves a value no further from any point of [0, 1] than it was, so a change of at
    most epsilon stays one.
    """
    return 2 * x.clip(0, 1) - x


def add_change(images: Images, change: Callable[[slice], Floats]) -> Images:
    """Add a change, in units of the full range, to uint8 images; fold and round the result.

    `change` returns the change of a slice of the images.
    """
    changed = np.empty_like(images)
    for start in range(0, len(images), BLOCK):
        part = slice(start, start + BLOCK)
        x = reuse_array("changed", images[part].shape, np.float32)
        np.multiply(images[part], np.float32(1 / 255), out=x)
        x += change(part)
        x = reflect(x)
        x *= np.float32(255)
        x += np.float32(0.5)
        np.copyto(changed[part], x, casting="unsafe")
    return changed


@dataclass(frozen=True)
class Altered(Overlay):
    """`base` with something added to its images, which `clean` takes away again."""

    @property
    def clean(self) -> Dataset:
        return self.base.clean

    def check(self, epsilon: float) -> None:
        """Refuse a size of change outside of [0, 1], and images that are not uint8."""
        if not 0 <= epsilon <= 1:
            raise ValueError(
                f"epsilon, the largest change of a pixel, must lie in 0 to 1; got {epsilon}."
            )
        if self.base.itemsize != 1:
            raise ValueError("changes are for images of bytes (uint8); these are real numbers.")
