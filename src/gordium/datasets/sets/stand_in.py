"""What data sets share that are always rendered and never read from files."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, ClassVar

from numpy.typing import NDArray

from gordium.datasets.disk_cache import Array, load_or_render
from gordium.datasets.grid import Grid
from gordium.datasets.published import RENDERED, Published
from gordium.files import cache_folder

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

    def load_table(self, rows: Rows, shape: tuple[int, ...], version: int) -> Array:
        """Load from the cache what `rows` draws at this size; a new `version` is drawn again."""
        name = f"{self.name}-{self.size}-v{version}"
        return _load_table(name, rows, self.size, shape, cache_folder())


@cache
def _load_table(name: str, rows: Rows, size: int, shape: tuple[int, ...], folder: Path) -> Array:
    """`folder` is an argument so that tables in another cache folder are not reused."""
    return load_or_render(name, shape, partial(rows, size))
