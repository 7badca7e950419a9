"""Loops that numba compiles, cached for later processes where that is possible."""

from collections.abc import Callable
from contextlib import suppress
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


def _ignore_errors(save: Function) -> Function:
    def attempt(*args: Any) -> None:
        with suppress(OSError):
            save(*args)

    return attempt
