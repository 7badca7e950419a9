"""Downloading official files to where the data sets look for them."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import URLError
from urllib.parse import unquote, urlsplit

from gordium.datasets.fetching.addresses import (
    REMOTES,
    VARIABLE,
    Remote,
    own_addresses,
)
from gordium.datasets.fetching.download import download
from gordium.datasets.readers.archives import is_archive, unpack
from gordium.datasets.readers.digests import digest_of
from gordium.datasets.readers.local_files import FETCHED, locate_fetched
from gordium.datasets.readers.official import OfficialFile
from gordium.files import find_cached

BY_HAND = {
    "faces3d": "basel_face_renders.pth, which holders of the Basel Face Model's licence can render "
    "or get from one another",
}


def fetch(
    name: str, *, folder: str | Path | None = None, addresses: Sequence[str] = ()
) -> list[Path]:
    """Download the official files of a data set that are not there yet, and check their hashes.

    They go into the cache folder, or below `folder`, which GORDIUM_DATA must then name.
    `addresses` are tried instead of the known ones; without them, so are those in the JSON file
    that GORDIUM_ADDRESSES names.
    """
    if name not in REMOTES:
        raise ValueError(_explain_absence(name))
    remote = REMOTES[name]
    remote = remote._replace(addresses=(*addresses,) or own_addresses(name) or remote.addresses)
    place = (locate_fetched() if folder is None else Path(folder)) / remote.folder
    problems = []
    for address in remote.addresses:
        try:
            return _fetch_from(address, remote, place)
        except (OSError, ValueError) as error:
            unreached = isinstance(error, URLError)  # its text does not name the address
            problems.append(f"{address} cannot be reached: {error}." if unreached else str(error))
    raise OSError(_explain_failure(name, remote, place, problems))


def list_fetched() -> Iterator[Path]:
    """The official files in the cache folder that have an address, whole or in part."""
    for remote in REMOTES.values():
        names = "|".join(re.escape(file.name) for file in remote.files)
        folder = str(Path(FETCHED, remote.folder))
        yield from find_cached(folder, rf"({names})(\.part)?(\.json)?")


def _explain_absence(name: str) -> str:
    known = ", ".join(REMOTES)
    if name in BY_HAND:
        return (
            f"the file of {name} has no public address. It is {BY_HAND[name]}. "
            f"Put it into {locate_fetched()}, or into the folder that GORDIUM_DATA names."
        )
    return f"there is nothing to fetch for {name!r}; there is for {known}."


def _explain_failure(name: str, remote: Remote, place: Path, problems: Sequence[str]) -> str:
    files = ", ".join(file.name for file in remote.files)
    return (
        f"{name} could not be fetched. {' '.join(problems)} Get {files} by other means and put "
        f"what you have into {place}; or give another address with --from, or in the JSON file "
        f"that {VARIABLE} names."
    )


def _fetch_from(address: str, remote: Remote, place: Path) -> list[Path]:
    last = unquote(urlsplit(address).path.rpartition("/")[2])
    missing = [file for file in remote.files if not (place / file.name).is_file()]
    if missing and is_archive(last) and last not in [file.name for file in remote.files]:
        _fetch_archive(address, last, place, missing)
    elif missing:
        for file in missing:
            _fetch_one(f"{address}{file.name}" if address.endswith("/") else address, file, place)
    return [place / file.name for file in remote.files]


def _fetch_one(address: str, file: OfficialFile, place: Path) -> None:
    part = place / f"{file.name}.part"
    download(address, part)
    _check(part, file)
    part.replace(place / file.name)


def _fetch_archive(address: str, last: str, place: Path, files: Sequence[OfficialFile]) -> None:
    """Unpack the files into a folder of their own, check them, and only then put them in place."""
    part = place / f"{Path(last).name}.part"
    download(address, part)
    try:
        with TemporaryDirectory(dir=place) as apart:
            paths = unpack(part, Path(apart), [file.name for file in files])
            for path, file in zip(paths, files, strict=True):
                _check(path, file)
                path.replace(place / file.name)
    finally:
        part.unlink(missing_ok=True)


def _check(path: Path, file: OfficialFile) -> None:
    """Remove a file that is not the published one, so that it is downloaded again."""
    if not file.digest:
        return
    try:
        found = digest_of(path, file.algorithm)
        if found != file.digest:
            raise ValueError(
                f"the fetched file is not the published {file.name}: its {file.algorithm} is "
                f"{found} and must be {file.digest}. It was removed; try again, or another address."
            )
    except ValueError:
        path.unlink()
        raise
