"""Published data sets: square images, rendered or read from the published files."""

from abc import abstractmethod
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import ClassVar

from gordium.datasets.base import Dataset, check_size
from gordium.fields import Declaration

RENDERED = "rendered"
PLACES = ("path", "picture")  # options that say where files lie; no part of a run's key


@dataclass(frozen=True)
class Published(Dataset):
    """Square images of `size`, from files in `path` or in the folder GORDIUM_DATA, or rendered.

    `source` says which images are in use. Files with a published hash are checked against it
    unless `verify` is False; for other files, `source` holds the hash of their content.
    """

    name: ClassVar[str]
    channels: ClassVar[int]

    size: int = 64
    path: str | Path | None = field(default=None, compare=False)
    verify: bool = field(default=True, compare=False)
    source: str = ""
    files: tuple[Path, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_size(self.size)
        object.__setattr__(self, "files", tuple(self.find()))  # the class is frozen
        found = self.check()
        if self.source not in ("", found):
            raise ValueError(
                f"source must be {self.source!r}; what is in {self.files[0].parent} is {found!r}."
            )
        object.__setattr__(self, "source", found)

    @abstractmethod
    def find(self) -> list[Path]:
        """The files to read; an empty list if images are to be rendered.

        FileNotFoundError says which file to put where.
        """

    @abstractmethod
    def check(self) -> str:
        """Check the files and return the source; ValueError if they cannot be used."""

    @property
    def file(self) -> Path | None:
        """The first of the files, if there are any."""
        return self.files[0] if self.files else None

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return (self.channels, self.size, self.size)

    @property
    def options(self) -> dict[str, object]:
        """What images follow from; `verify` is among them only if files were not checked."""
        names = [field.name for field in fields(self) if field.compare and field.name != "source"]
        unchecked = {"verify": False} if self.files and not self.verify else {}
        return {**{name: getattr(self, name) for name in names}, **unchecked}

    @property
    def declaration(self) -> Declaration:
        """The name, the options, places of files that were given, and the source."""
        given = {name: getattr(self, name, None) for name in PLACES}
        places = {name: str(Path(at).absolute()) for name, at in given.items() if at is not None}
        options = {**self.options, **places}
        return {"name": self.name, "options": options, "source": self.source}
