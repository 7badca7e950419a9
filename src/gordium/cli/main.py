"""The commands, and what a person sees when something is wrong: a sentence, not a traceback."""

import os
import sys

import typer

from gordium._version import __version__
from gordium.cli import datasets, demo, evaluate, manipulate, train

app = typer.Typer(
    help="Disentangled representation learning, and the biases behind it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo")(demo.demo)
app.add_typer(datasets.app, name="datasets")
app.command("train")(train.train)
app.command("evaluate")(evaluate.evaluate)
app.command("manipulate")(manipulate.manipulate)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True),
) -> None:
    """Disentangled representation learning, and the biases behind it."""


def main() -> None:
    """Run a command. Exit code 1: it could not be done; 2: wrong usage; 130: Ctrl-C.

    With GORDIUM_DEBUG set, errors come with their traceback.
    """
    try:
        app()
    except KeyboardInterrupt:
        typer.echo("\nstopped; the same command goes on from here.", err=True)
        sys.exit(130)
    except (ValueError, TypeError, OSError, ArithmeticError, RuntimeError, IndexError) as error:
        if os.environ.get("GORDIUM_DEBUG"):
            raise
        typer.echo(f"error: {error}", err=True)
        sys.exit(1)
