"""What data sets share that are always rendered and never read from files."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gordium.datasets.base import Images
from gordium.datasets.disk_cache import Array, load_or_render
from gordium.datasets.grid import Grid
from gordium.datasets.published import RENDERED, Published
from gordium.datasets.rendering.lighting import CHANNELS, light
from gordium.factors import Integers

Rows = Callable[[int], Iterator[NDArray[Any]]]  # from an image size to arrays one after another


@dataclass(frozen=True)
class StandIn(Published, Grid):
    """Rendered images in the place of a published set, whose files not everybody has."""

    channels: ClassVar[int] = 1

    def find(self) -> list[Path]:
        if self.path is not None:
            raise ValueError(f"{self.name} is rendered only: leave path out.")
        if self.source not in ("", RENDERED):
            raise ValueError(f"source must be {RENDERED!r}; got {self.source!r}.")
        return []

    def check(self) -> str:
        return RENDERED

    def render_lit(
        self, indices: Integers, rows: Rows, lights: NDArray[np.int16], version: int
    ) -> Images:
        """Light the scenes that `rows` draws; the last factor, the lighting, changes fastest."""
        scene, lighting = np.divmod(indices, len(lights))
        shape = (len(self) // len(lights), CHANNELS, self.size, self.size)
        return light(self.load_table(rows, shape, version), scene, lights[lighting])

    def load_table(self, rows: Rows, shape: tuple[int, ...], version: int) -> Array:
        """Load from the cache what `rows` draws at this size; a new `version` is drawn again."""
        name = f"{self.name}-{self.size}-v{version}"
        return load_or_render(name, shape, partial(rows, self.size))
