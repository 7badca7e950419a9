"""The arrays of a page, one after another in one compressed block of bytes."""

import zlib
from base64 import b64encode
from collections.abc import Mapping
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

ALIGNED = 4
Content = Mapping[str, object]  # JSON that the page's script reads, and nothing here
KINDS = {"f2": "<f2", "f4": "<f4", "i1": "<i1", "i2": "<i2"}


class Place(TypedDict):
    """Where an array lies in the block."""

    offset: int
    shape: list[int]
    kind: str


class Blob:
    """Collects arrays, and gives them as the base64 of a zlib stream."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._length = 0

    def put(self, array: NDArray[Any], kind: str) -> Place:
        """Add an array as numbers of a kind; half precision holds values up to 65504."""
        data = np.ascontiguousarray(array, dtype=KINDS[kind]).tobytes()
        place = Place(offset=self._length, shape=list(array.shape), kind=kind)
        padding = -len(data) % ALIGNED
        self._parts += [data, bytes(padding)]
        self._length += len(data) + padding
        return place

    def text(self) -> str:
        """The whole stream in base64."""
        return b64encode(zlib.compress(b"".join(self._parts), 9)).decode()
