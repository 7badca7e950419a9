"""Reading archives, whose names and declared sizes are not trusted."""

import tarfile
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO

from gordium.datasets.readers.local_files import name_errors
from gordium.files import write_whole

ENDINGS = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
MOST_BYTES = 1 << 35
RATIO = 200  # an archive that unpacks to more than this many times its size is refused
BLOCK = 1 << 20
ALLOWED = 1 << 26  # bytes that any archive may unpack to, however small it is

Member = tuple[str, int, Callable[[], IO[bytes] | None]]


def is_archive(name: str) -> bool:
    """Whether a file of that name can be unpacked."""
    return name.lower().endswith(ENDINGS)


def unpack(archive: Path, folder: Path, names: list[str]) -> list[Path]:
    """Write the files called `names`, from anywhere in the archive, into `folder`; in that order.

    An archive that unpacks to far more than its own size is refused.
    """
    most = min(MOST_BYTES, max(ALLOWED, RATIO * archive.stat().st_size))
    found = {}
    with name_errors(archive):
        for name, size, open_member in walk_archive(archive, most):
            if name in names and name not in found:
                found[name] = _copy(archive, open_member(), folder / name, size)
    missing = [name for name in names if name not in found]
    if missing:
        raise ValueError(f"{archive} has no {', '.join(missing)} in it.")
    return [found[name] for name in names]


def walk_archive(archive: Path, most: int) -> Iterator[Member]:
    """The names, without folders, of the files in an archive, their sizes, and how to open them.

    A name that leads out of the archive is refused, and so are more than `most` bytes in all. A
    link opens as None.
    """
    total = 0
    for name, size, open_member in _list_members(archive):
        place = PurePosixPath(name.replace("\\", "/"))
        if place.is_absolute() or ".." in place.parts or ":" in "".join(place.parts[:1]):
            raise ValueError(f"{archive} names {name!r}, outside of itself: it is refused.")
        total += size
        if total > most:
            raise ValueError(f"{archive} unpacks to over {most:,} bytes: it is refused.")
        yield place.name, size, open_member


def _list_members(archive: Path) -> Iterator[Member]:
    if archive.name.lower().removesuffix(".part").endswith(".zip"):
        with zipfile.ZipFile(archive) as packed:
            for entry in packed.infolist():
                yield entry.filename, entry.file_size, partial(packed.open, entry)
        return
    try:
        with tarfile.open(archive) as file:
            for member in file:
                yield member.name, member.size, partial(_open_regular, file, member)
    except tarfile.TarError as error:
        raise EOFError(str(error)) from error


def _open_regular(file: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes] | None:
    return file.extractfile(member) if member.isreg() else None


def _copy(archive: Path, content: IO[bytes] | None, path: Path, size: int) -> Path:
    if content is None:
        raise ValueError(f"{path.name} in {archive} is a link and not a file: it is refused.")
    with content, write_whole(path) as beside, beside.open("wb") as file:
        while block := content.read(BLOCK):
            size -= len(block)
            if size < 0:
                raise EOFError(f"{path.name} unpacks to more than it declares")
            file.write(block)
    return path
