"""`gordium explore`: one interactive page of runs."""

from pathlib import Path

import typer

from gordium.cli import options
from gordium.cli.printing import JSON, print_result


def explore(
    runs: list[Path] = typer.Argument(help="Folders of finished runs, shown side by side."),
    out: Path | None = typer.Option(
        None, help="The page to write (default: RUN/explore.html, or explore.html for several)."
    ),
    points: int = typer.Option(1000, min=1, max=1000, help="Images in the plots of codes."),
    seed: int = typer.Option(0, min=0, help="Decides which images."),
    data: Path | None = options.DATA,
    as_json: bool = JSON,
) -> None:
    """Put trained runs into one interactive HTML file that works offline.

    Sliders for every unit, any two of them on a plane, factors of the data set and pictures of
    your own as inputs, which unit tells of which factor, and why: the decoder's Jacobian beside
    the data's local principal components. The networks run in the page; nothing is fetched.
    """
    from gordium.explorer import explore as make

    place = out or (runs[0] / "explore.html" if len(runs) == 1 else Path("explore.html"))
    if place.suffix != ".html":
        raise typer.BadParameter(f"--out takes the name of an .html file; got {place}.")
    dataset = options.load_run_and_data(runs[0], data=data, device="cpu")[1] if data else None
    command = options.command_line()
    made = make(*runs, dataset=dataset, points=points, seed=seed, command=command)
    made.save(place)
    size = place.stat().st_size
    found = {"page": place, "title": made.title, "n_bytes": size}
    print_result(found, f"The page: {place} ({size / 1e6:.1f} MB)", as_json=as_json)
