"""A data set in one of the user's NumPy archives."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, final

import numpy as np

from gordium.datasets.collection import Content
from gordium.datasets.own.check_arrays import to_content
from gordium.datasets.own.columns import Meaning
from gordium.datasets.own.from_path import FromPath, check_bytes, name_place
from gordium.datasets.readers import npz
from gordium.datasets.readers.local_files import name_errors

LABELS = "labels."


@final
@dataclass(frozen=True)
class FromNpz(FromPath):
    """The arrays `images` and `factors` of an .npz file, and `names` if it has them.

    They are as for `FromArrays`. `kinds` may give a kind for each factor, and `labels.NAME` the
    words for the values of the factor NAME. Nothing in the file is unpickled.
    """

    name: ClassVar[str] = "from-npz"

    def read(self) -> Content:
        path = Path(self.path)
        if not path.is_file():
            raise FileNotFoundError(
                f"there is no file {path}; give an .npz file or a folder, or as --data the place "
                "where a run's data has moved."
            )
        found = npz.headers(path, "images", "factors")
        texts = [key for key in found if key in ("names", "kinds") or key.startswith(LABELS)]
        for key in ("images", "factors", *texts):
            self._check(key, found[key])
        with name_errors(path), np.load(path, allow_pickle=False) as arrays:
            images, factors = arrays["images"], arrays["factors"]
            words = {key: list(map(str, np.atleast_1d(arrays[key]))) for key in texts}
        with name_place(path):
            return to_content(images, factors, words.get("names"), self._read_meaning(words))

    def _read_meaning(self, words: Mapping[str, list[str]]) -> Meaning:
        kinds = words.get("kinds", [])
        names = words.get("names", [f"factor_{i}" for i in range(len(kinds))])
        if kinds and len(kinds) != len(names):
            raise ValueError(f"kinds must hold one for each of {', '.join(names)}; got {kinds}.")
        labels = {k.removeprefix(LABELS): v for k, v in words.items() if k.startswith(LABELS)}
        return Meaning(dict(zip(names, kinds, strict=True)) if kinds else {}, labels)

    def _check(self, key: str, header: npz.Header) -> None:
        if header.dtype.hasobject:
            raise ValueError(
                f"{key!r} in {self.path} is pickled Python objects, which are never loaded. Save "
                "it as an array of numbers."
            )
        check_bytes(f"{key!r} in {self.path}", header.size)
