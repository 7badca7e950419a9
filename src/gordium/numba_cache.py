"""Loops that numba compiles, cached for later processes where that is possible."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from numba import njit

Function = Callable[..., Any]


def compile_cached(**options: Any) -> Callable[[Function], Any]:
    """Compile as `numba.njit(cache=True)` does, or without a cache where none can be written.

    If both the installation and the user's home are read-only, or the disk is full, each process
    compiles anew.
    """

    def decorate(function: Function) -> Any:
        try:
            dispatcher = njit(cache=True, **options)(function)
        except RuntimeError:  # no folder for the cache can be written
            return njit(**options)(function)
        cache = dispatcher._cache
        cache.save_overload = _ignore_errors(cache.save_overload)
        return dispatcher

    return decorate


def list_compiled(module: ModuleType) -> Iterator[Path]:
    """The files in which numba keeps the compiled functions of a module, of all its versions.

    numba's names for them begin with the module's; their folder is for modules of one folder.
    """
    stem = module.__name__.rpartition(".")[2]
    name = re.compile(rf"{re.escape(stem)}\..+-[0-9]+\.py[0-9a-z]+(\.[0-9]+\.nbc|\.nbi)")
    caches = [getattr(member, "_cache", None) for member in vars(module).values()]
    folders = {getattr(cache, "cache_path", "") for cache in caches} - {""}
    for path in sorted(path for folder in folders for path in Path(folder).glob(f"{stem}.*")):
        if name.fullmatch(path.name) and path.is_file():
            yield path


def _ignore_errors(save: Function) -> Function:
    def attempt(*args: Any) -> None:
        with suppress(OSError):
            save(*args)

    return attempt
