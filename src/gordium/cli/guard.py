"""What a person sees when something is wrong: a sentence, not a traceback."""

import functools
import os
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import typer

P = ParamSpec("P")
T = TypeVar("T")
_EXPECTED = (
    ValueError,
    TypeError,
    OSError,
    ArithmeticError,
    RuntimeError,
    IndexError,
    MemoryError,
)


def guard_command(command: Callable[P, T]) -> Callable[P, T]:
    """Exit code 1: it could not be done; 130: Ctrl-C. Wrong usage is Typer's 2.

    With GORDIUM_DEBUG set, errors come with their traceback.
    """

    @functools.wraps(command)
    def guard(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return command(*args, **kwargs)
        except KeyboardInterrupt:
            typer.echo("\nstopped; the same command goes on from here.", err=True)
            raise typer.Exit(130) from None
        except (typer.Exit, typer.Abort):  # these are RuntimeErrors, and not errors
            raise
        except _EXPECTED as error:
            if os.environ.get("GORDIUM_DEBUG"):
                raise
            typer.echo(f"error: {str(error) or type(error).__name__}", err=True)
            raise typer.Exit(1) from None

    return guard
