"""`gordium datasets`: list, show and fetch data sets, and check data of your own."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gordium.cli import options
from gordium.cli.guard import Guarded
from gordium.cli.printing import JSON, print_json, print_result, print_table

if TYPE_CHECKING:
    from gordium.datasets.overviews import Overview

app = typer.Typer(
    cls=Guarded,
    help="List the data sets, show one as a contact sheet, fetch one, or check your own.",
)


@app.callback(invoke_without_command=True)
def _default(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        list_all(as_json=False)


@app.command("list")
def list_all(as_json: bool = JSON) -> None:
    """List all data sets: factors, sizes, the memory that all images take, the source in use."""
    from gordium.datasets import list_datasets, overview

    known = {name: overview(name) for name in list_datasets()}
    if as_json:
        print_json([{"name": n, **_describe(it), "source": it.source} for n, it in known.items()])
        return
    lines = []
    for name, found in known.items():
        factors = ", ".join(f"{f.name} {f.size or chr(0x211D)}" for f in found.factors)
        shape = " x ".join(map(str, found.image_shape))
        memory = f"{found.n_bytes / 1e9:.2f} GB"
        lines.append((name, f"{found.n_images:,}", shape, memory, factors, found.source))
    print_table(("name", "images", "shape", "memory", "factors", "source"), lines)


@app.command("show")
def show(
    context: typer.Context,
    name: str = typer.Argument(help="A name from `gordium datasets list`."),
    out: Path = typer.Option(Path("contact-sheet.png"), help="The PNG file to write."),
    size: int | None = options.SIZE,
    hold: list[str] = options.HOLD,
    noise: float | None = options.NOISE,
    as_json: bool = JSON,
) -> None:
    """Write a contact sheet: one row for each factor, the others fixed."""
    from gordium.datasets.contact_sheet import contact_sheet

    contact_sheet(options.dataset(name, context.params), out)
    print_result({"written": out}, f"wrote {out}", as_json=as_json)


@app.command("fetch")
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
    as_json: bool = JSON,
) -> None:
    """Fetch the official files of a data set; after a cut, the same command goes on.

    GORDIUM_ADDRESSES may name a JSON file of addresses: {"mnist": ["https://example.org/mnist/"]}
    """
    from gordium.datasets import DATASETS
    from gordium.datasets import fetch as fetched
    from gordium.lookup import pick

    pick("data set", name, DATASETS)
    paths = fetched(name, folder=out, addresses=address)
    lines = [f"{path} is there" for path in paths]
    print_result({"files": list(paths)}, *lines, as_json=as_json)


@app.command("check")
def check(
    path: Path = typer.Argument(
        help="An .npz file with the arrays `images` and `factors`, or a folder of pictures with "
        "factors.csv or factors.parquet: a file name in its first column, a factor in each other "
        "one; or that table itself."
    ),
    size: int | None = typer.Option(None, help="Make the pictures of a folder this size."),
    as_json: bool = JSON,
) -> None:
    """Say whether data of your own can be used, and what is wrong with it if not.

    What passes can be trained on: gordium train PATH --out runs/a
    """
    from gordium.datasets import open_path, remarks
    from gordium.datasets.overviews import Overview

    data = open_path(path, **({"size": size} if path.suffix != ".npz" and size is not None else {}))
    found = Overview(len(data), data.image_shape, data.factors, str(path), data.itemsize)
    if as_json:
        print_json({"path": path, **_describe(found), "notes": remarks(data)})
        return
    kind = "bytes" if data.itemsize == 1 else "floats in 0 to 1"
    typer.echo(f"{path} can be used: {len(data):,} images {data.image_shape} of {kind}")
    typer.echo(f"  memory: {found.n_bytes / 1e6:,.1f} MB")
    for factor in data.factors:
        values = f"{factor.size} values, {factor.kind}" if factor.size else "real numbers"
        words = f": {', '.join(factor.labels)}" if factor.labels else ""
        typer.echo(f"  factor {factor.name}: {values}{words}")
    for remark in remarks(data):
        typer.echo(f"  note: {remark}")


def _describe(found: "Overview") -> dict[str, object]:
    names = ("name", "size", "kind", "labels")
    return {
        "n_images": found.n_images,
        "image_shape": found.image_shape,
        "n_bytes": found.n_bytes,
        "factors": [{name: getattr(each, name) for name in names} for each in found.factors],
    }
