"""The commands."""

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
from gordium.cli.guard import guarded
from gordium.cli.plugins import WithPlugins

app = typer.Typer(
    cls=WithPlugins,
    help="Disentangled representation learning, and the biases behind it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo")(guarded(demo.demo))
app.add_typer(datasets.app, name="datasets")
app.command("train")(guarded(train.train))
app.command("evaluate")(guarded(evaluate.evaluate))
app.command("explain")(guarded(explain.explain))
app.command("explore")(guarded(explore.explore))
app.command("export")(guarded(export.export))
app.command("manipulate")(guarded(manipulate.manipulate))
app.add_typer(study.app, name="study")
app.command("audit")(guarded(audit.audit))
app.command("reproduce")(guarded(reproduce.reproduce))
app.add_typer(zoo.app, name="zoo")
app.command("doctor")(guarded(doctor.doctor))
app.command("clean")(guarded(doctor.clean))


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
