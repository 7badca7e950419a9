"""Files are written whole or not at all, and read with a clear word when they are damaged."""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A place beside `path` to write to; it takes the name `path` only if the block ends well.

    The content reaches the disk before the name does, so a power cut leaves the old or the new.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    beside = Path(name)
    try:
        yield beside
        with beside.open("rb+") as file:
            os.fsync(file.fileno())
        beside.chmod(0o644)
        beside.replace(path)
    except OSError as error:
        raise OSError(
            f"could not write {path}: {error.strerror or error}. "
            "The old file, if there was one, is unchanged; free some space and start again."
        ) from error
    finally:
        beside.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    with written_whole(path) as beside:
        beside.write_text(text, encoding="utf-8")


def write_bytes(path: Path, content: bytes) -> None:
    with written_whole(path) as beside:
        beside.write_bytes(content)


def write_json(path: Path, value: object) -> None:
    write_text(path, json.dumps(value, indent=2) + "\n")


def read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is damaged: {error}. Delete it and start again.") from error


def sha256(path: Path, *, on_block: Callable[[int], None] | None = None) -> str:
    """The SHA-256 of a file, read in blocks; `on_block` hears how many bytes were read."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 22):
            digest.update(block)
            if on_block is not None:
                on_block(len(block))
    return digest.hexdigest()


def cache_folder() -> Path:
    """Where rendered data is kept: GORDIUM_CACHE, or `gordium` in the user's cache folder."""
    if given := os.environ.get("GORDIUM_CACHE"):
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "gordium"
