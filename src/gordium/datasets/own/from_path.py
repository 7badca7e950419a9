"""Data sets in the user's files, whose hash tells whether their content is still the same."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import ClassVar

from gordium.datasets.collection import Collection
from gordium.datasets.own.check_arrays import content_hash
from gordium.fields import Declaration

MOST_BYTES = 1 << 33  # of images, which are all held in memory


@dataclass(frozen=True)
class FromPath(Collection):
    """A data set read from `path`; with `sha256`, the content must have that hash."""

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
    def declaration(self) -> Declaration:
        """The fields; the path is not part of a run's key."""
        options = {field.name: getattr(self, field.name) for field in fields(self)}
        options["path"] = str(Path(self.path).absolute())
        return {"name": self.name, "options": options, "source": "files of the user's"}


@contextmanager
def name_place(place: Path) -> Iterator[None]:
    """Let errors in the block begin with the place that the content was read from."""
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
    """Change a data set's declaration to say that its files now lie at `path`.

    The content must still be the same: the declaration holds its hash. Arrays that were in memory
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
            f"{declaration['name']} is not read from a file of yours, so it cannot have moved; "
            "leave the place of the data out."
        )
    return {**declaration, "options": {**options, "path": str(path)}}
