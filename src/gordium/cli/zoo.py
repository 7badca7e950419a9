"""`gordium zoo`: trained models that come with the package."""

from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from gordium.cli.guard import guarded

app = typer.Typer(help="List the trained models that come with gordium, or get one as a run.")


@app.callback(invoke_without_command=True)
def _default(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        list_all()


@app.command("list")
@guarded
def list_all() -> None:
    """All models: what each was trained on, MIG of its codes, licence."""
    from gordium.zoo import describe, list_models

    view = Table("name", "what it is", "MIG", "licence")
    for name in list_models():
        model = describe(name)
        view.add_row(name, model.about, f"{model.scores['mig']:.2f}", model.licence)
    Console().print(view)


@app.command("get")
@guarded
def get(
    name: str = typer.Argument(help="A name from `gordium zoo list`."),
    out: Path | None = typer.Option(None, help="The folder to write (default: ./NAME)."),
    source: str | None = typer.Option(
        None,
        "--from",
        help="A folder or an http(s) address that holds the zoo's files (default: the package's "
        "own, or what GORDIUM_ZOO names).",
    ),
) -> None:
    """Put a trained model into a folder: a run that every command takes, e.g.

    gordium zoo get beta-vae && gordium explore beta-vae
    """
    from gordium.zoo import get as put

    typer.echo(f"{put(name, out or Path(name), source=source)} is there; every file was checked.")
