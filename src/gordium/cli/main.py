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
from gordium.cli.guard import guard_command
from gordium.cli.plugins import WithPlugins

app = typer.Typer(
    cls=WithPlugins,
    help="Disentangled representation learning, and the biases behind it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo")(guard_command(demo.demo))
app.add_typer(datasets.app, name="datasets")
app.command("train")(guard_command(train.train))
app.command("evaluate")(guard_command(evaluate.evaluate))
app.command("explain")(guard_command(explain.explain))
app.command("explore")(guard_command(explore.explore))
app.command("export")(guard_command(export.export))
app.command("manipulate")(guard_command(manipulate.manipulate))
app.add_typer(study.app, name="study")
app.command("audit")(guard_command(audit.audit))
app.command("reproduce")(guard_command(reproduce.reproduce))
app.add_typer(zoo.app, name="zoo")
app.command("doctor")(guard_command(doctor.doctor))
app.command("clean")(guard_command(doctor.clean))


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
