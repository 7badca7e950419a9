"""Errors of commands: people see a sentence, and no traceback."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from gordium.lookup import describe_failure

_EXPECTED = (ValueError, TypeError, OSError, ArithmeticError, RuntimeError, IndexError, MemoryError)


@contextmanager
def explain_errors() -> Iterator[None]:
    """Print an error as a sentence and exit with code 1, or with 130 after Ctrl-C.

    Wrong usage is left to Typer, whose code is 2. With GORDIUM_DEBUG set, errors are raised.
    """
    try:
        yield
    except KeyboardInterrupt:
        typer.echo("\nstopped; the same command goes on from here.", err=True)
        raise typer.Exit(130) from None
    except (typer.Exit, typer.Abort):  # RuntimeErrors that are no errors
        raise
    except _EXPECTED as error:
        if os.environ.get("GORDIUM_DEBUG"):
            raise
        typer.echo(f"error: {describe_failure(error)}", err=True)
        raise typer.Exit(1) from None


class Guarded(TyperGroup):
    """A group of commands whose errors are explained."""

    def invoke(self, ctx: Any) -> Any:
        with explain_errors():
            return super().invoke(ctx)
