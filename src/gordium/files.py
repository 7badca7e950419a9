"""Files that are written whole or not at all; reading a damaged one is an error that names it."""

import errno
import glob
import hashlib
import json
import os
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

CHECKSUM = "checksum"
_SORTED = json.JSONEncoder(sort_keys=True, check_circular=False)  # what was read has no circles
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}")
_UNFINISHED = re.compile(r"\.(?P<name>.+)\.[0-9]+\.[0-9a-f]{8}")  # the names of `write_whole`
_STALE_SECONDS = 3600


@contextmanager
def write_whole(path: Path) -> Iterator[Path]:
    """Give a place beside `path` to write to, which is renamed to `path` if the block ends well.

    The content reaches the disk before the name does: after a power cut the old file or the new
    one is there, whole.
    """
    beside = path.parent / f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        sweep(path)
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


def sweep(path: Path) -> None:
    """Remove what writers of `path`, killed more than an hour ago, have left beside it."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.*"):
        with suppress(OSError):
            if _is_stale(left):
                remove = shutil.rmtree if left.is_dir() else Path.unlink
                remove(left)


def _is_stale(path: Path) -> bool:
    return time.time() - path.lstat().st_mtime > _STALE_SECONDS


def plain_name(name: object, what: str = "a name") -> str:
    """Refuse and show a name that may not become part of a path, whoever wrote it.

    Allowed are at most 128 letters, digits, `.`, `-` and `_`, the first neither `.` nor `-`.

    >>> plain_name("6e8bb4288148341f")
    '6e8bb4288148341f'
    """
    if isinstance(name, str) and _PLAIN.fullmatch(name):
        return name
    raise ValueError(
        f"{what} must be plain: at most 128 letters, digits, '.', '-' and '_', the first neither "
        f"'.' nor '-'; got {str(name)[:200]!r}."
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
    """What a JSON file holds; a damaged file is a ValueError that names it."""
    with _name_damage(path):
        return json.loads(path.read_text(encoding="utf-8"))


def seal(table: Mapping[str, Any], indent: int | None = None) -> str:
    """A table as JSON with a checksum of its content, so that a changed digit is noticed."""
    plain = json.loads(json.dumps(table))  # as it will be read back
    return json.dumps({**plain, CHECKSUM: _checksum(plain)}, indent=indent)


def seal_sorted(table: Mapping[str, Any]) -> str:
    """As `seal`, with fields in the order of the checksum, so that it is checked at less cost."""
    text = _SORTED.encode(json.loads(json.dumps(table)))
    return text[:-1] + _end(_sha256_of(text)) if table else seal(table)


def unseal(text: str | bytes, before: Container[str] | None = None) -> dict[str, Any]:
    """The table that `seal` was given; a ValueError says why a text cannot be one.

    A table that was written before there were checksums is accepted if it holds nothing but the
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


def unseal_all(texts: Sequence[str]) -> list[dict[str, Any]]:
    """The tables of many texts, as `unseal` gives each; reading them at once is faster."""
    with suppress(ValueError, TypeError, RecursionError):
        found = json.loads(f"[{','.join(texts)}]")
        if len(found) == len(texts) and all(map(_is_whole, found, texts)):
            return list(found)
    return [unseal(text) for text in texts]  # which says what is wrong


def write_sealed(path: Path, table: Mapping[str, Any]) -> None:
    """Write a table as JSON with its checksum, whole or not at all."""
    write_text(path, seal(table, indent=2) + "\n")


def read_sealed(path: Path, before: Container[str]) -> dict[str, Any]:
    """What `write_sealed` wrote; a damaged file is a ValueError that names it."""
    with _name_damage(path):
        return unseal(path.read_bytes(), before)


@contextmanager
def _name_damage(path: Path) -> Iterator[None]:
    try:
        yield
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is damaged: {error}. Delete it and start again.") from error


def _is_whole(found: object, text: str) -> bool:
    """Whether what a text holds is a table that matches its checksum, which is removed."""
    if not isinstance(found, dict):
        return False
    stated = found.pop(CHECKSUM, None)
    if text.endswith(end := _end(stated)) and _sha256_of(text[: -len(end)] + "}") == stated:
        return True  # what `seal_sorted` wrote
    return bool(stated == _checksum(found))


def _end(checksum: object) -> str:
    return f', "{CHECKSUM}": "{checksum}"}}'


def _checksum(table: Mapping[str, Any]) -> str:
    """SHA-256 of a table read from JSON, whatever the order of its fields."""
    return _sha256_of(_SORTED.encode(table))


def _sha256_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def digest(
    path: Path, start: "hashlib._Hash", *, on_block: Callable[[int], None] | None = None
) -> str:
    """Feed a file to a hash in blocks; `on_block` is called with the number of bytes of each."""
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
    except RuntimeError:  # the user has no home folder
        return Path(tempfile.gettempdir()) / f"gordium-{os.getuid()}"


def find_cached(folder: str, pattern: str) -> Iterator[Path]:
    """The files in a subfolder of the cache folder whose whole names match a writer's `pattern`.

    What a killed writer left of such a file is among them after an hour. Links, and subfolders
    that are links, are left out: gordium makes none.
    """
    cache = cache_folder()
    place = cache / folder
    if not place.is_dir() or place.resolve() != cache.resolve() / folder:
        return
    for path in sorted(place.iterdir()):
        unfinished = _UNFINISHED.fullmatch(path.name)
        name = unfinished["name"] if unfinished else path.name
        is_own = re.fullmatch(pattern, name) and path.is_file() and not path.is_symlink()
        if is_own and not (unfinished and not _is_stale(path)):
            yield path


def check_path(name: str, given: object) -> Path:
    """The path that a user gave; anything else than a path is a TypeError."""
    if not isinstance(given, str | os.PathLike):
        raise TypeError(f"{name} must be a path, e.g. 'runs/a'; got a {type(given).__name__}.")
    return Path(given)
