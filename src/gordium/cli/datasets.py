"""`gordium datasets`: what there is, and how it looks."""

from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from gordium.cli import options
from gordium.cli.guard import guarded

app = typer.Typer(help="List the data sets, or show one as a contact sheet.")


@app.callback(invoke_without_command=True)
def _default(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        list_all()


@app.command("list")
@guarded
def list_all() -> None:
    """All data sets with their factors, sizes and the source in use."""
    from gordium.datasets import list_datasets, load_dataset

    view = Table("name", "images", "shape", "factors", "source")
    for name in list_datasets():
        data = load_dataset(name)
        factors = ", ".join(f"{f.name} {f.size or chr(0x211D)}" for f in data.factors)
        shape = " x ".join(map(str, data.image_shape))
        view.add_row(name, f"{len(data):,}", shape, factors, data.declaration["source"])
    Console().print(view)


@app.command("show")
@guarded
def show(
    name: str = typer.Argument(help="A name from `gordium datasets list`."),
    out: Path = typer.Option(Path("contact-sheet.png"), help="The PNG file to write."),
    size: int = options.SIZE,
    hold: list[str] = options.HOLD,
    noise: float | None = options.NOISE,
) -> None:
    """Write a contact sheet: one row for each factor, the others fixed."""
    from gordium.datasets.contact_sheet import contact_sheet

    contact_sheet(options.dataset(name, size=size, hold=hold, noise=noise), out)
    typer.echo(f"wrote {out}")
