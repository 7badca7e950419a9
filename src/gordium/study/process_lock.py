"""A sign that a process lives, which the system removes when the process ends.

The sign is a locked file. A process that was killed holds no lock, whatever its process id was and
in whatever container it ran; a suspended process still holds it. Where the system has no such
lock, no process counts as dead.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

fcntl: Any
try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None


class Presence:
    """A file in a folder that is locked as long as this process lives."""

    def __init__(self, folder: Path, name: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = _path(folder, name)
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        if fcntl is not None:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def close(self) -> None:
        """Remove the sign."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)
        with suppress(OSError):
            os.close(self._file)


def is_dead(folder: Path, name: str) -> bool:
    """Whether the process of this name has ended: its file is gone or not locked."""
    try:
        file = os.open(_path(folder, name), os.O_RDWR)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    try:
        if fcntl is None:
            return False
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    else:
        _path(folder, name).unlink(missing_ok=True)
        return True
    finally:
        os.close(file)


@contextmanager
def wait_alone(folder: Path) -> Iterator[None]:
    """Wait until no other process of this machine is in such a block for the same folder.

    The folder itself is locked, so a kill leaves nothing behind.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if fcntl is None:
        yield
        return
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def _path(folder: Path, name: str) -> Path:
    return folder / f".runner-{name}"
