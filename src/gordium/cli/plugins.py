"""`--plugin MODULE`, anywhere on the command line: modules that register names of the user's."""

from collections.abc import Sequence
from typing import Any

import typer

from gordium.cli.guard import Guarded, explain_errors
from gordium.plugins import load_plugins

OPTION = "--plugin"


class WithPlugins(Guarded):
    """A group of commands that loads plugins before it reads their arguments."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Load the plugins first, so that options can name what they add."""
        names, rest = split_plugins(args)
        with explain_errors():
            load_plugins(names)
        return super().parse_args(ctx, rest)


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
