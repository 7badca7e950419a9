"""Work arrays that are kept from one call to the next.

The memory of a fresh array would go back to the system at the end of each call, and getting its
pages again in the next one costs more than the arithmetic.
"""

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

_of_this_thread = threading.local()


def reuse_array(name: str, shape: tuple[int, ...], dtype: type[np.generic]) -> NDArray[Any]:
    """Return an array with any content; equal calls in one thread return the same array."""
    arrays = _of_this_thread.__dict__
    found = arrays.get(name)
    if found is None or found.shape != shape or found.dtype != dtype:
        found = arrays[name] = np.empty(shape, dtype)
    return found
