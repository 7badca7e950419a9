"""`gordium evaluate`: the scores of a run."""

from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table


def evaluate(
    run: Path = typer.Argument(help="Folder of a finished run."),
    metrics: str = typer.Option("mig", help="Names with commas between; `all` for every one."),
    n: int | None = typer.Option(
        None,
        "--samples",
        help="Images to encode [default: all if there are at most 10000, else 10000 draws].",
    ),
    seed: int = typer.Option(0, help="Decides which images are drawn."),
) -> None:
    """Encode the data set that a run was trained on, score the codes, write scores.json."""
    from gordium.datasets import in_memory
    from gordium.metrics import list_metrics
    from gordium.study import declared_dataset
    from gordium.study import evaluate as evaluate_run
    from gordium.training import load_run

    loaded = load_run(run)
    data = in_memory(declared_dataset(loaded.config["declaration"]["dataset"]))
    names = tuple(name.strip() for name in metrics.split(",") if name.strip())
    names = tuple(list_metrics()) if names == ("all",) else names
    document = evaluate_run(loaded, data, metrics=names, n=n, seed=seed)
    view = Table("score", "value")
    for name, value in document["scores"].items():
        view.add_row(name, f"{value:.4f}")
    view.add_row("active units", str(document["active_units"]))
    view.add_row("over-pruned", str(document["over_pruned"]))
    view.add_row("images", f"{document['n_images']:,} ({document['sampling']})")
    Console().print(view)
