"""`gordium zoo`: trained models that come with the package."""

from pathlib import Path

import typer

from gordium.cli.guard import Guarded
from gordium.cli.printing import JSON, print_json, print_result, print_table

app = typer.Typer(
    cls=Guarded, help="List the trained models that come with gordium, or get one as a run."
)


@app.callback(invoke_without_command=True)
def _default(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        list_all(as_json=False)


@app.command("list")
def list_all(as_json: bool = JSON) -> None:
    """All models: what each was trained on, MIG of its codes, licence."""
    from gordium.zoo import describe, list_models

    models = {name: describe(name) for name in list_models()}
    if as_json:
        print_json(
            [
                {"name": name, "about": m.about, "scores": m.scores, "licence": m.licence}
                for name, m in models.items()
            ]
        )
        return
    lines = [(n, m.about, f"{m.scores['mig']:.2f}", m.licence) for n, m in models.items()]
    print_table(("name", "what it is", "MIG", "licence"), lines)


@app.command("get")
def get(
    name: str = typer.Argument(help="A name from `gordium zoo list`."),
    out: Path | None = typer.Option(None, help="The folder to write (default: ./NAME)."),
    source: str | None = typer.Option(
        None,
        "--from",
        help="A folder or an http(s) address that holds the zoo's files (default: the package's "
        "own, or what GORDIUM_ZOO names).",
    ),
    as_json: bool = JSON,
) -> None:
    """Put a trained model into a folder: a run that every command takes, e.g.

    gordium zoo get beta-vae && gordium explore beta-vae
    """
    from gordium.zoo import get as put

    place = put(name, out or Path(name), source=source)
    said = f"The model is in {place}; every file was checked."
    print_result({"run": place}, said, as_json=as_json)
