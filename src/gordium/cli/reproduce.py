"""`gordium reproduce`: make one table or figure of a paper."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.markup import escape

from gordium.cli import options
from gordium.cli.printing import JSON, console, print_json, print_table

if TYPE_CHECKING:
    from gordium.exhibits.reproduce import Written

COLOURS = {"seen": "green", "not seen": "red", "inconclusive": "yellow"}


def reproduce(
    name: str | None = typer.Argument(None, metavar="ID", help="An id that --list shows."),
    listed: bool = typer.Option(False, "--list", help="Show all exhibits."),
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
    as_json: bool = JSON,
    devices: str | None = options.DEVICES,
) -> None:
    """Make a table or figure of the papers, with the published numbers beside ours.

    Stop it at any time: the same command goes on with the runs that are there.
    """
    if listed or name is None:
        show_catalogue(as_json)
        return
    from gordium.exhibits.base import Place
    from gordium.exhibits.reproduce import PAGE
    from gordium.exhibits.reproduce import reproduce as make

    runs = runs or (out or Path("reproduced")) / "runs"
    out = out or Path("reproduced") / f"{name}-{scale}"
    command = f"gordium reproduce {name} --scale {scale}"  # without folders, which differ
    command += " --finished" if finished else ""
    place = Place(scale, runs, workers, tuple(rows), finished)
    written = make(name, place, out=out, command=command)
    if as_json:
        print_json({"page": out / PAGE, **_as_dictionary(written)})
        return
    show(written)
    typer.echo(f"The whole exhibit: {out / PAGE}")


def show_catalogue(as_json: bool) -> None:
    """Print all exhibits."""
    from gordium.exhibits.catalogue import CATALOGUE, say_where

    lines = [(name, say_where(name), entry.title) for name, entry in CATALOGUE.items()]
    if as_json:
        print_json([dict(zip(("id", "where", "about"), line, strict=True)) for line in lines])
    else:
        print_table(("id", "where", "about"), lines)


def show(written: "Written") -> None:
    """Print what an exhibit shows, and its verdicts."""
    from gordium.report.statistics.words import interval

    print_table(written.made.head, written.made.table)
    lines = console()
    for verdict in written.verdicts:
        if not verdict.lines:
            lines.print(f"not judged: {escape(verdict.text)}", highlight=False)
            continue
        colour = COLOURS[verdict.outcome]
        text = f"[{colour}]{verdict.outcome}[/{colour}]: {escape(verdict.text)}: "
        lines.print(f"{text}{escape(interval(verdict.shown.line))}", highlight=False)
    for note in written.made.notes:
        lines.print(note, highlight=False)


def _as_dictionary(written: "Written") -> dict[str, object]:
    made = written.made
    return {
        "head": made.head,
        "table": made.table,
        "notes": made.notes,
        "verdicts": [
            {"outcome": v.outcome, "kind": v.kind, "claim": v.text} for v in written.verdicts
        ],
    }
