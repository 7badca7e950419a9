"""`--plugin MODULE`, anywhere on the command line: names of the user's, for every command."""

import os
from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import Any

import typer
from typer.core import TyperGroup

from gordium.cli.guard import guard_command

OPTION = "--plugin"


class WithPlugins(TyperGroup):
    """The commands, after the plugins that are named among their arguments."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Load the plugins first, so that options can name what they add."""
        names, rest = split_plugins(args)
        if names or os.environ.get("GORDIUM_PLUGINS") or entry_points(group="gordium.plugins"):
            load(names)
        return super().parse_args(ctx, rest)


@guard_command
def load(names: Sequence[str]) -> None:
    """Load the plugins that the user names."""
    from gordium.plugins import load_plugins

    load_plugins(names)


def split_plugins(args: Sequence[str]) -> tuple[list[str], list[str]]:
    """The values of every `--plugin`, and the other arguments."""
    names, rest, left = [], [], list(args)
    while left:
        word = left.pop(0)
        if word.startswith(f"{OPTION}="):
            names.append(word.partition("=")[2])
        elif word == OPTION:
            if not left:
                raise typer.BadParameter(f"{OPTION} takes the name of a module.")
            names.append(left.pop(0))
        else:
            rest.append(word)
    return names, rest
