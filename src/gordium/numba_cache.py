"""Loops that numba compiles, and keeps for the next process where there is a place for them."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from numba import njit

Function = Callable[..., Any]


def compile_cached(**options: Any) -> Callable[[Function], Any]:
    """As `numba.njit(cache=True)`, and where nothing can be kept, as without a cache.

    An installation that is read-only with a home that is too has no place for a cache, and a
    full disk takes no more: then each process compiles anew.
    """

    def decorate(function: Function) -> Any:
        try:
            dispatcher = njit(cache=True, **options)(function)
        except RuntimeError:  # no place that can be written
            return njit(**options)(function)
        cache = dispatcher._cache
        cache.save_overload = _if_possible(cache.save_overload)
        return dispatcher

    return decorate


def _if_possible(save: Function) -> Function:
    def attempt(*args: Any) -> None:
        with suppress(OSError):
            save(*args)

    return attempt
