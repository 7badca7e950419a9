"""A data set in a NumPy archive of the user's."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, final

import numpy as np

from gordium.datasets import _npz
from gordium.datasets._content import to_content
from gordium.datasets._from_path import FromPath, check_bytes, naming
from gordium.datasets._official import reading
from gordium.datasets.partial import Content


@final
@dataclass(frozen=True)
class FromNpz(FromPath):
    """The arrays `images` and `factors` of an .npz file, and `names` if it has them.

    They are as for `FromArrays`; nothing in the file is unpickled.
    """

    name: ClassVar[str] = "from-npz"

    @property
    def options(self) -> dict[str, Any]:
        return {}

    def read(self) -> Content:
        path = Path(self.path)
        if not path.is_file():
            raise FileNotFoundError(f"there is no file {path}; give an .npz file or a folder.")
        found = _npz.headers(path)
        for key in ("images", "factors"):
            if key not in found:
                held = ", ".join(found) or "no arrays"
                raise ValueError(f"{path} has no {key!r}; it has {held}.")
        for key in ("images", "factors", "names"):
            if key in found:
                self._check(key, found[key])
        with reading(path), np.load(path, allow_pickle=False) as arrays:
            images, factors = arrays["images"], arrays["factors"]
            names = [str(name) for name in arrays["names"]] if "names" in found else None
        with naming(path):
            return to_content(images, factors, names)

    def _check(self, key: str, header: _npz.Header) -> None:
        if header.dtype.hasobject:
            raise ValueError(
                f"{key!r} in {self.path} is pickled Python objects, which are never loaded. Save "
                "it as an array of numbers."
            )
        check_bytes(f"{key!r} in {self.path}", header.size)
