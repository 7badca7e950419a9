"""Images as the networks take them: floats in [0, 1]."""

from typing import Any

import torch
from numpy.typing import NDArray


def as_floats(images: NDArray[Any], device: torch.device) -> torch.Tensor:
    """uint8 images as floats in [0, 1] on the device; vectors of real numbers as they are."""
    x = torch.from_numpy(images).to(device, non_blocking=True)
    return x if x.is_floating_point() else torch.div(x, 255)
