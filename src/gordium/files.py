"""Files are written whole or not at all, and read with a clear word when they are damaged."""

import errno
import glob
import hashlib
import json
import os
import re
import secrets
import tempfile
import time
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

CHECKSUM = "checksum"
_SORTED = json.JSONEncoder(sort_keys=True)
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}")


@contextmanager
def write_whole(path: Path) -> Iterator[Path]:
    """A place beside `path` to write to; it takes the name `path` only if the block ends well.

    The content reaches the disk before the name does, so a power cut leaves the old or the new.
    """
    beside = path.parent / f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _sweep(path)
        yield beside
        with beside.open("rb+") as file:
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        raise OSError(
            f"could not write {path}: {error.strerror or error}. The old file, if there was one, "
            f"is unchanged; {'free some space' if full else 'mend that'} and start again."
        ) from error
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _sweep(path: Path) -> None:
    """Remove what writers of this file left that were killed more than an hour ago."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.*"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > 3600:
                left.unlink()


def plain_name(name: object, what: str = "a name") -> str:
    """A name that may become part of a path, whoever wrote it; any other is refused and shown.

    Letters, digits, dots, hyphens and underscores, at most 128; it begins with none of `.` and `-`.

    >>> plain_name("6e8bb4288148341f")
    '6e8bb4288148341f'
    """
    if isinstance(name, str) and _PLAIN.fullmatch(name):
        return name
    raise ValueError(
        f"{what} must be plain: letters, digits, '.', '-' and '_', at most 128 of them, and none "
        f"of '.' and '-' first; got {str(name)[:200]!r}."
    )


def write_text(path: Path, text: str) -> None:
    """Write a text file, whole or not at all."""
    with write_whole(path) as beside:
        beside.write_text(text, encoding="utf-8")


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all."""
    with write_whole(path) as beside:
        beside.write_bytes(content)


def write_json(path: Path, value: object) -> None:
    """Write a JSON file, whole or not at all."""
    write_text(path, json.dumps(value, indent=2) + "\n")


def read_json(path: Path) -> Any:
    """What a JSON file holds; a damaged one is a ValueError that names it."""
    with _damage_named(path):
        return json.loads(path.read_text(encoding="utf-8"))


def seal(table: Mapping[str, Any], indent: int | None = None) -> str:
    """A table as JSON with a checksum of all else in it, so that a changed digit is noticed."""
    plain = json.loads(json.dumps(table))  # as it is read again
    return json.dumps({**plain, CHECKSUM: _checksum(plain)}, indent=indent)


def unseal(text: str | bytes, before: Container[str] | None = None) -> dict[str, Any]:
    """The table that `seal` was given; a ValueError where it cannot be.

    Tables from before there was a checksum have none: they are taken if they hold nothing but the
    fields `before`.
    """
    try:
        found = json.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if not isinstance(found, dict):
        raise ValueError("it holds no table")
    if CHECKSUM in found:
        if found.pop(CHECKSUM) != _checksum(found):
            raise ValueError("its content does not match its checksum")
    elif before is None or any(name not in before for name in found):
        raise ValueError("it has no checksum")
    return found


def write_sealed(path: Path, table: Mapping[str, Any]) -> None:
    """Write a table as JSON with its checksum, whole or not at all."""
    write_text(path, seal(table, indent=2) + "\n")


def read_sealed(path: Path, before: Container[str]) -> dict[str, Any]:
    """What `write_sealed` wrote; a damaged file is a ValueError that names it."""
    with _damage_named(path):
        return unseal(path.read_bytes(), before)


@contextmanager
def _damage_named(path: Path) -> Iterator[None]:
    try:
        yield
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is damaged: {error}. Delete it and start again.") from error


def _checksum(table: Mapping[str, Any]) -> str:
    """SHA-256 of a table that JSON gave, whatever the order of its fields."""
    return hashlib.sha256(_SORTED.encode(table).encode()).hexdigest()


def digest(
    path: Path, start: "hashlib._Hash", *, on_block: Callable[[int], None] | None = None
) -> str:
    """A file's content fed to a hash in blocks; `on_block` hears how many bytes were read."""
    with path.open("rb") as file:
        while block := file.read(1 << 22):
            start.update(block)
            if on_block is not None:
                on_block(len(block))
    return start.hexdigest()


def sha256(path: Path) -> str:
    """The SHA-256 of a file's content."""
    return digest(path, hashlib.sha256())


def cache_folder() -> Path:
    """Where rendered data is kept: GORDIUM_CACHE, or `gordium` in the user's cache folder."""
    if given := os.environ.get("GORDIUM_CACHE"):
        return Path(given)
    if given := os.environ.get("XDG_CACHE_HOME"):
        return Path(given) / "gordium"
    try:
        return Path.home() / ".cache" / "gordium"
    except RuntimeError:  # nobody's home
        return Path(tempfile.gettempdir()) / f"gordium-{os.getuid()}"


def check_path(name: str, given: object) -> Path:
    """What a user gave for a path, as one."""
    if not isinstance(given, str | os.PathLike):
        raise TypeError(f"{name} must be a path, e.g. 'runs/a'; got a {type(given).__name__}.")
    return Path(given)
