"""Data sets in a place of the user's: read, and told by their hash whether they are the same."""

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from gordium.datasets.collection import Collection
from gordium.datasets.own.check_arrays import content_hash
from gordium.fields import Declaration

MOST_BYTES = 1 << 33  # of the images, which are held in memory


@dataclass(frozen=True)
class FromPath(Collection):
    """What `path` holds; with `sha256`, it must be what it was when that hash was taken."""

    name: ClassVar[str]

    path: str | Path = field(compare=False)
    sha256: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        found = content_hash(self.content)
        if self.sha256 not in ("", found):
            raise ValueError(
                f"{self.path} is not what it was: its content has sha256 {found} and must have "
                f"{self.sha256}. Put the old content back, or train anew on this one."
            )
        object.__setattr__(self, "sha256", found)  # frozen, and still being made

    @property
    @abstractmethod
    def options(self) -> dict[str, object]:
        """Fields besides the path and the hash."""

    @property
    def declaration(self) -> Declaration:
        """A run is named by the content, not by the path."""
        place = str(Path(self.path).absolute())
        options = {"path": place, **self.options, "sha256": self.sha256}
        return {"name": self.name, "options": options, "source": "files of the user's"}


@contextmanager
def name_place(place: Path) -> Iterator[None]:
    """Errors of content say where it was read."""
    try:
        yield
    except (ValueError, TypeError) as error:
        raise type(error)(f"{place}: {error}") from error


def check_bytes(place: object, n_bytes: int) -> None:
    """Refuse images that would fill the memory."""
    if n_bytes > MOST_BYTES:
        raise ValueError(
            f"{place} holds {n_bytes:,} bytes of images; at most {MOST_BYTES:,} are read into "
            "memory. Shrink the images, or take fewer."
        )


def relocate(declaration: Declaration, path: str | Path) -> Declaration:
    """The declaration of a data set with the place where it lies now.

    Its content must still be the same: the declaration holds its hash. Arrays that were in memory
    may be given as an .npz file.
    """
    if "base" in declaration:
        return {**declaration, "base": relocate(declaration["base"], path)}
    options = declaration["options"]
    if declaration["name"] == "from-arrays":
        place = {"path": str(path), "sha256": options["sha256"]}
        return {**declaration, "name": "from-npz", "options": place}
    if "path" not in options:
        raise ValueError(
            f"{declaration['name']} lies in no file of yours, so it cannot have moved; leave the "
            "place of the data out."
        )
    return {**declaration, "options": {**options, "path": str(path)}}
