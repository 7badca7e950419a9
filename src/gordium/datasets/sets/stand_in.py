"""What sets share that are rendered and never read from files."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from gordium.datasets.grid import Grid
from gordium.datasets.published import RENDERED, Published


@dataclass(frozen=True)
class StandIn(Published, Grid):
    """Square pictures, e.g. in the place of a published set whose files not everybody has."""

    channels: ClassVar[int] = 1

    def find(self) -> list[Path]:
        if self.path is not None:
            raise ValueError(f"{self.name} is rendered only: leave path out.")
        if self.source not in ("", RENDERED):
            raise ValueError(f"source must be {RENDERED!r}; got {self.source!r}.")
        return []

    def check(self) -> str:
        return RENDERED
