"""Copies of the zoo's models as folders of runs; every file is checked against its hash."""

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from gordium.datasets.fetching.download import download
from gordium.evaluation.run_scores import REPRESENTATION, SCORES
from gordium.files import (
    CHECKSUM,
    cache_folder,
    find_cached,
    plain_name,
    seal,
    sha256,
    write_bytes,
)
from gordium.training import Run, load_run
from gordium.training.folder import CONFIG
from gordium.zoo.index import STORED, Model, describe, read_index

VARIABLE = "GORDIUM_ZOO"
COPIES = "zoo"  # a folder in the cache folder


def load(name: str, *, source: str | None = None) -> Run:
    """Load a trained model: `gd.zoo.load("beta-vae").model.encode(images)`."""
    return load_run(get(name, source=source))


def get(name: str, folder: str | Path | None = None, *, source: str | None = None) -> Path:
    """Put a model into a folder, as a run that every command takes; return the folder.

    The default is a place in the cache folder. Files come with the package, or from `source`: a
    folder or an http(s) address that holds them. GORDIUM_ZOO names a source for all calls. Each
    file must have the hash that the package's index says.
    """
    entry = describe(name)
    place = cache_folder() / COPIES / name if folder is None else Path(folder)
    source = source or os.environ.get(VARIABLE) or str(STORED)
    for file, digest in entry.files.items():
        target = place / plain_name(file, "the name of a file")
        if not (target.is_file() and sha256(target) == digest) and file != CONFIG:
            write_bytes(target, _read(source, f"{name}/{file}", digest))
    _put_config(source, name, entry, place)
    return place


def list_copies() -> Iterator[Path]:
    """The files of models in the cache folder, and what `gordium evaluate` adds to them."""
    for name, entry in read_index().items():
        names = {*entry.files, CONFIG, SCORES, REPRESENTATION}
        yield from find_cached(f"{COPIES}/{name}", "|".join(map(re.escape, names)))


def _put_config(source: str, name: str, entry: Model, place: Path) -> None:
    """Write the declaration last, so that a folder with one is complete; fetch its change."""
    config = msgspec.json.decode(_read(source, f"{name}/{CONFIG}", entry.files[CONFIG]))
    if entry.change is not None:
        change = get(entry.change, place.parent / entry.change, source=source)
        config["declaration"]["dataset"]["change"]["folder"] = str(change.resolve())
    config.pop(CHECKSUM, None)  # a new one, which covers the new folder, comes with `seal`
    sealed = f"{seal(config, indent=2)}\n".encode()
    if not (place / CONFIG).is_file() or (place / CONFIG).read_bytes() != sealed:
        write_bytes(place / CONFIG, sealed)


def _read(source: str, path: str, digest: str) -> bytes:
    """A file of the source, a folder or an address, if it has this hash."""
    content = _download(f"{source.rstrip('/')}/{path}") if "://" in source else _load(source, path)
    if hashlib.sha256(content).hexdigest() != digest:
        raise ValueError(f"{path} is not the file that the zoo's index names: it is refused.")
    return content


def _load(folder: str, name: str) -> bytes:
    path = Path(folder) / name
    if not path.is_file():
        raise FileNotFoundError(
            f"{path} is not there. Give a folder or an address that holds the zoo's files, with "
            f"--from or in {VARIABLE}."
        )
    return path.read_bytes()


def _download(address: str) -> bytes:
    with TemporaryDirectory() as folder:
        part = Path(folder) / "part"
        download(address, part)
        return part.read_bytes()
