"""`gordium demo`: the headline result in one command."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.table import Table

from gordium.cli import options

if TYPE_CHECKING:
    from gordium.report import Row


def demo(
    out: Path | None = typer.Option(
        None,
        help="Folder for runs, rows and the report (default: demo, or demo-SCALE).",
    ),
    scale: str = typer.Option(
        "demo",
        help="smoke (seconds, shows nothing), demo (at most 30 minutes on two cores), "
        "laptop (at most three hours) or paper (the published protocol: weeks).",
    ),
    workers: int = options.WORKERS,
) -> None:
    """Test how much of a beta-VAE's disentanglement a tiny, learned change takes away.

    Trains several seeds on Shapes3D, learns the manipulation of Zietlow et al. 2021 from the
    most and the least disentangled, and trains fresh seeds on the original, the modified and
    the noisy images. Stop it at any time: the same command goes on. Started again when it has
    finished, it shows the result at once.
    """
    from gordium.exhibits.headline import run_headline
    from gordium.exhibits.scales import SCALES
    from gordium.lookup import pick

    experiment = pick("scale", scale, SCALES)()
    out = out or Path("demo" if scale == "demo" else f"demo-{scale}")
    rows = run_headline(experiment, out, command=options.command_line(), workers=workers)
    show(rows, out)


def show(rows: "list[Row]", out: Path) -> None:
    """The table in the terminal, and where the page is."""
    from gordium.exhibits.headline import PAGE, TABLE_HEAD, table

    view = Table(*TABLE_HEAD)
    for line in table(rows):
        view.add_row(*line)
    console = Console()
    console.print(view)
    console.print(f"The whole report: {out / PAGE}", soft_wrap=True)
