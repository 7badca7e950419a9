"""What commands print: tables for people, and JSON for programs."""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

JSON = typer.Option(False, "--json", help="Print the result as JSON, and nothing else.")
WIDE = 10_000


def console() -> Console:
    """A console as wide as the terminal; in a pipe it is so wide that no name is cut."""
    return Console() if sys.stdout.isatty() else Console(width=WIDE)


def print_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table with a head."""
    view = Table(*head)
    for row in rows:
        view.add_row(*row)
    console().print(view)


def print_json(value: Any) -> None:
    """Print a value as JSON; numbers that are not finite are null, unknown types their text."""
    typer.echo(json.dumps(_simplify(value), indent=2, ensure_ascii=False, allow_nan=False))


def print_result(value: Any, *lines: str, as_json: bool) -> None:
    """Print a result as JSON, or as lines for people."""
    if as_json:
        print_json(value)
        return
    for line in lines:
        typer.echo(line)


def _simplify(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _simplify(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_simplify(item) for item in value]
    if hasattr(value, "item") and not hasattr(value, "__len__"):
        value = value.item()  # NumPy's numbers
    if isinstance(value, float):
        return value if isfinite(value) else None
    return value if isinstance(value, int | str | None) else str(value)
