"""What data sets share whose images are drawn, and kept in the cache once they are."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

import numpy as np

from gordium.datasets.disk_cache import Array, load_or_render
from gordium.datasets.grid import Grid
from gordium.datasets.published import RENDERED, Published
from gordium.datasets.readers.official import OfficialFile, check_digest, locate

Rows = Callable[[int], Iterator[Array]]  # from an image size to arrays one after another


@dataclass(frozen=True)
class Drawn(Published, Grid):
    """Drawn images; if there is an `official` file and the user has it, its images instead."""

    channels: ClassVar[int] = 1
    official: ClassVar[OfficialFile | None] = None
    version: ClassVar[int] = 1  # of the drawing; a new number makes caches of the old one unused

    def find(self) -> list[Path]:
        if self.official is not None:
            file = locate(self.official, self.size, self.path, self.source)
            return [file] if file else []
        if self.path is not None:
            raise ValueError(f"{self.name} is rendered only: leave path out.")
        if self.source not in ("", RENDERED):
            raise ValueError(f"source must be {RENDERED!r}; got {self.source!r}.")
        return []

    def check(self) -> str:
        if self.official is None or self.file is None:
            return RENDERED
        if self.verify:
            check_digest(self.file, self.official)
        return self.official.source

    @property
    def table_name(self) -> str:
        """The name of the drawn table in the cache."""
        return f"{self.name}-{self.size}-v{self.version}"

    def load_table(
        self, rows: Rows, shape: tuple[int, ...], dtype: type[np.generic] = np.uint8
    ) -> Array:
        """Load from the cache what `rows` draws at this size."""
        return load_or_render(self.table_name, shape, partial(rows, self.size), dtype)
