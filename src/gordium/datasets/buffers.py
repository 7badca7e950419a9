"""Arrays to work in that outlive a call.

Fresh ones of this size are given back to the system at the end of each call, and fetching their
pages anew in the next costs more than the arithmetic.
"""

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

_of_this_thread = threading.local()


def reuse_array(name: str, shape: tuple[int, ...], dtype: type[np.generic]) -> NDArray[Any]:
    """An array of unknown content, the same at each call with these arguments in a thread."""
    arrays = _of_this_thread.__dict__
    found = arrays.get(name)
    if found is None or found.shape != shape or found.dtype != dtype:
        found = arrays[name] = np.empty(shape, dtype)
    return found
