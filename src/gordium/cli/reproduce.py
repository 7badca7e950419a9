"""`gordium reproduce`: one table or figure of a paper, made here."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.table import Table

from gordium.cli import options

if TYPE_CHECKING:
    from gordium.exhibits.base import Made


def reproduce(
    name: str | None = typer.Argument(None, metavar="ID", help="An id that --list shows."),
    listed: bool = typer.Option(False, "--list", help="Show all exhibits and what can be made."),
    scale: str = typer.Option(
        "smoke", help="smoke (seconds), laptop (minutes to hours) or paper (as published)."
    ),
    out: Path | None = typer.Option(None, help="Folder to write (default: reproduced/ID-SCALE)."),
    runs: Path | None = typer.Option(
        None,
        help="Where trained runs are kept and found again by all exhibits "
        "(default: reproduced/runs; with --out, OUT/runs).",
    ),
    rows: list[Path] = typer.Option(
        [], help="CSV files of a study's rows; the runs in them count as finished (repeatable)."
    ),
    finished: bool = typer.Option(
        False, "--finished", help="Train nothing more: make it from the runs that are there."
    ),
    workers: int = options.WORKERS,
) -> None:
    """Make a table or figure of the papers, with the published numbers beside ours.

    Stop it at any time: the same command goes on with the runs that are there.
    """
    if listed or name is None:
        show_catalogue()
        return
    from gordium.exhibits.base import Place
    from gordium.exhibits.reproduce import PAGE
    from gordium.exhibits.reproduce import reproduce as make

    runs = runs or (out or Path("reproduced")) / "runs"
    out = out or Path("reproduced") / f"{name}-{scale}"
    command = f"gordium reproduce {name} --scale {scale}"  # where it lies is nobody else's concern
    command += " --finished" if finished else ""
    place = Place(scale, runs, workers, tuple(rows), finished)
    made = make(name, place, out=out, command=command)
    show(made)
    typer.echo(f"The whole exhibit: {out / PAGE}")


def show_catalogue() -> None:
    from gordium.exhibits.catalogue import CATALOGUE

    view = Table("id", "where", "about", "state")
    for name, entry in CATALOGUE.items():
        view.add_row(name, entry.where, entry.title, "ready" if entry.module else "not built")
    Console().print(view)


def show(made: "Made") -> None:
    view = Table(*made.head)
    for line in made.table:
        view.add_row(*line)
    console = Console()
    console.print(view)
    for effect in made.effects:
        mark = "[green]seen[/green]" if effect.seen else "[red]not seen[/red]"
        console.print(f"{mark}: {effect.statement} ({effect.evidence})", highlight=False)
    for note in made.notes:
        console.print(note, highlight=False)
