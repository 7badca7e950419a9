"""Errors of commands: people see a sentence, and no traceback."""

import functools
import os
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import typer

P = ParamSpec("P")
T = TypeVar("T")
_EXPECTED = (ValueError, TypeError, OSError, ArithmeticError, RuntimeError, IndexError, MemoryError)


def guard_command(command: Callable[P, T]) -> Callable[P, T]:
    """Make a command print an error as a sentence and exit with code 1, or with 130 after Ctrl-C.

    Wrong usage is left to Typer, whose code is 2. With GORDIUM_DEBUG set, errors are raised.
    """

    @functools.wraps(command)
    def guard(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return command(*args, **kwargs)
        except KeyboardInterrupt:
            typer.echo("\nstopped; the same command goes on from here.", err=True)
            raise typer.Exit(130) from None
        except (typer.Exit, typer.Abort):  # RuntimeErrors that are no errors
            raise
        except _EXPECTED as error:
            if os.environ.get("GORDIUM_DEBUG"):
                raise
            typer.echo(f"error: {str(error) or type(error).__name__}", err=True)
            raise typer.Exit(1) from None

    return guard
