"""`gordium audit`: how far a data set's factors are its local principal components."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gordium.cli import options
from gordium.cli.printing import JSON, console, print_json, print_table

if TYPE_CHECKING:
    from gordium.audit.audit import Audited


def audit(
    context: typer.Context,
    dataset: str = typer.Argument(
        help="A name from `gordium datasets`, or a file or folder of yours."
    ),
    size: int = options.SIZE,
    hold: list[str] = options.HOLD,
    noise: float | None = options.NOISE,
    manipulation: Path | None = typer.Option(
        None, help="Folder of a manipulation: audit the data set changed by it."
    ),
    points: int = typer.Option(2000, min=2, help="Points of the grid to look at, drawn by --seed."),
    radius: float | None = typer.Option(
        None,
        help="How far to look along each factor, in its standard deviations, rounded to grid "
        "steps (default: one grid step).",
    ),
    run: Path | None = typer.Option(
        None,
        help="Folder of a trained run: look as far along each factor as its posterior noise "
        "reaches, and say where its decoder points.",
    ),
    seed: int = typer.Option(0, min=0, help="Decides which points are drawn."),
    device: str = options.DEVICE,
    out: Path | None = typer.Option(None, help="Folder to write (default: audit-DATASET)."),
    as_json: bool = JSON,
) -> None:
    """Ask a data set how far its generating factors are its local principal components.

    VAEs pursue local principal components. The answer is a number: 1 if these are the factors
    at every point, so that the data alone lead a VAE to them; 0 if they are no closer than
    random directions. Needs no training. Prints the number, a table of pairs of factors and a
    verdict; writes audit.html with pictures, and audit.json.

    \b
      gordium audit shapes3d
      gordium audit dsprites --hold shape=1 --hold scale=3
      gordium audit shapes3d --manipulation demo/manipulation --size 32 --hold ...
    """
    from gordium.audit.audit import PAGE, SUMMARY, run_audit

    options.check_positive("--radius", radius)
    if radius is not None and run is not None:
        raise typer.BadParameter("--radius and --run both say how far to look; give one.")
    data = options.dataset(dataset, context.params)
    out = out or Path(f"audit-{Path(dataset).stem}")
    made = run_audit(
        data,
        out,
        command=options.command_line(),
        n=points,
        seed=seed,
        radius=radius,
        run=run,
        device=device,
    )
    if as_json:
        print_json({"page": out / PAGE, **json.loads((out / SUMMARY).read_text())})
        return
    show(made)
    typer.echo(f"The whole audit: {out / PAGE}")


def show(made: "Audited") -> None:
    """Print the table of pairs and the verdict."""
    from gordium.audit.page import PAIR_HEAD, pair_row

    print_table(PAIR_HEAD, [pair_row(pair) for pair in made.audit.pairs])
    for sentence in made.sentences:
        console().print(sentence, highlight=False, markup=False)
