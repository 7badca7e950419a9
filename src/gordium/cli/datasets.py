"""`gordium datasets`: what there is, how it looks, how to get it, and data of your own."""

from math import prod
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from gordium.cli import options
from gordium.cli.guard import guarded

app = typer.Typer(
    help="List the data sets, show one as a contact sheet, fetch one, or check your own."
)


@app.callback(invoke_without_command=True)
def _default(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        list_all()


@app.command("list")
@guarded
def list_all() -> None:
    """All data sets: factors, sizes, the memory that all images would take, the source in use."""
    from gordium.datasets import list_datasets, overview

    view = Table("name", "images", "shape", "memory", "factors", "source")
    for name in list_datasets():
        found = overview(name)
        factors = ", ".join(f"{f.name} {f.size or chr(0x211D)}" for f in found.factors)
        shape = " x ".join(map(str, found.image_shape))
        memory = f"{found.n_bytes / 1e9:.2f} GB"
        view.add_row(name, f"{found.n_images:,}", shape, memory, factors, found.source)
    Console().print(view)


@app.command("show")
@guarded
def show(
    name: str = typer.Argument(help="A name from `gordium datasets list`."),
    out: Path = typer.Option(Path("contact-sheet.png"), help="The PNG file to write."),
    size: int | None = options.SIZE,
    hold: list[str] = options.HOLD,
    noise: float | None = options.NOISE,
) -> None:
    """Write a contact sheet: one row for each factor, the others fixed."""
    from gordium.datasets.contact_sheet import contact_sheet

    contact_sheet(options.dataset(name, size=size, hold=hold, noise=noise), out)
    typer.echo(f"wrote {out}")


@app.command("fetch")
@guarded
def fetch(
    name: str = typer.Argument(help="A data set that is read from files, e.g. mnist."),
    out: Path | None = typer.Option(
        None, help="The folder to write to (default: the cache folder, where it is found)."
    ),
    address: list[str] = typer.Option(
        [],
        "--from",
        help="An address to use instead: a folder (ending in /), the file, or an archive.",
    ),
) -> None:
    """Fetch the official files of a data set; after a cut, the same command goes on.

    GORDIUM_ADDRESSES may name a JSON file of addresses: {"mnist": ["https://example.org/mnist/"]}
    """
    from gordium.datasets import DATASETS
    from gordium.datasets import fetch as fetched
    from gordium.lookup import pick

    pick("data set", name, DATASETS)
    for path in fetched(name, folder=out, addresses=address):
        typer.echo(f"{path} is there")


@app.command("check")
@guarded
def check(
    path: Path = typer.Argument(
        help="An .npz file with the arrays `images` and `factors`, or a folder of pictures with "
        "factors.csv: a file name in its first column, a factor in each other one; or that "
        "table itself, CSV or Parquet."
    ),
    size: int | None = typer.Option(None, help="Make the pictures of a folder this size."),
) -> None:
    """Say whether data of your own can be used, and what is wrong with it if not.

    What passes can be trained on: gordium train PATH --out runs/a
    """
    from gordium.datasets import open_path, remarks

    data = open_path(path, **({"size": size} if path.suffix != ".npz" and size is not None else {}))
    n_bytes = len(data) * prod(data.image_shape) * data.itemsize
    kind = "bytes" if data.itemsize == 1 else "floats in 0 to 1"
    typer.echo(f"{path} can be used: {len(data):,} images {data.image_shape} of {kind}")
    typer.echo(f"  memory: {n_bytes / 1e6:,.1f} MB")
    for factor in data.factors:
        values = f"{factor.size} values, {factor.kind}" if factor.size else "real numbers"
        words = f": {', '.join(factor.labels)}" if factor.labels else ""
        typer.echo(f"  factor {factor.name}: {values}{words}")
    for remark in remarks(data):
        typer.echo(f"  note: {remark}")
