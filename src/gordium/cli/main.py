"""The list of commands."""

import typer

from gordium._version import __version__
from gordium.cli import (
    audit,
    datasets,
    demo,
    doctor,
    evaluate,
    explain,
    explore,
    export,
    manipulate,
    reproduce,
    study,
    train,
    zoo,
)
from gordium.cli.plugins import WithPlugins

app = typer.Typer(
    cls=WithPlugins,
    help="Disentangled representation learning, and the biases behind it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _command in (
    *(demo.demo, train.train, evaluate.evaluate, explain.explain, explore.explore, export.export),
    *(manipulate.manipulate, audit.audit, reproduce.reproduce, doctor.doctor, doctor.clean),
):
    app.command()(_command)
app.add_typer(datasets.app, name="datasets")
app.add_typer(study.app, name="study")
app.add_typer(zoo.app, name="zoo")


def _version(asked: bool) -> None:
    if asked:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True),
    plugin: list[str] = typer.Option(
        [],
        help="A module of yours, or a .py file, that registers methods, networks, metrics or data "
        "sets; may stand anywhere (repeatable).",
    ),
) -> None:
    """Disentangled representation learning, and the biases behind it."""


def main() -> None:
    """Run the command line."""
    app()
