"""`gordium evaluate`: the scores of a run, or of arrays from elsewhere."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gordium.cli import options
from gordium.cli.printing import JSON, print_json, print_table

if TYPE_CHECKING:
    from gordium.evaluation.array_files import FileScores
    from gordium.evaluation.run_scores import RunScores


def _list(as_json: bool) -> None:
    from gordium.metrics import METRICS

    said = {name: (metric.__doc__ or "").partition("\n")[0] for name, metric in METRICS.items()}
    if as_json:
        print_json(said)
    else:
        print_table(("metric", "what it says"), list(said.items()))


def evaluate(
    source: Path | None = typer.Argument(
        None,
        help="Folder of a finished run, or an .npz file with the arrays `codes` (n_samples, "
        "n_codes) and `factors` (n_samples, n_factors), and if you like `log_variances` and "
        "`kinds` (a word for each factor, e.g. nominal).",
    ),
    metrics: str = typer.Option(
        "mig",
        help="Names with commas between, see --list; `all` for every one that can be computed and "
        "is quick.",
    ),
    n: int | None = typer.Option(
        None,
        "--samples",
        min=1,
        help="Images of a run to encode; each at most once; 10000 by default, or all if there "
        "are fewer. Of a file all rows are scored.",
    ),
    seed: int = typer.Option(
        0, min=0, help="Decides what is drawn: images, and within some metrics."
    ),
    out: Path | None = typer.Option(
        None,
        help="The JSON file to write; by default scores.json in the folder of the run, or "
        "name.scores.json beside name.npz.",
    ),
    data: Path | None = options.DATA,
    device: str = options.DEVICE,
    listed: bool = typer.Option(False, "--list", help="Print what each metric is and exit."),
    as_json: bool = JSON,
) -> None:
    """Score codes against the factors behind them, and write the scores with their provenance.

    A run is encoded first, on the data set it was trained on. A file may come from any software:

    \b
      numpy.savez("mine.npz", codes=means, factors=labels)   # in Python
      gordium evaluate mine.npz --metrics mig,sap,dci        # writes mine.scores.json
      gordium evaluate runs/a --metrics all                  # writes runs/a/scores.json

    The rows should be in random order: metrics with a predictor test it on the last third.
    """
    if listed:
        _list(as_json)
        return
    if source is None:
        raise typer.BadParameter("give the folder of a run or an .npz file; --list shows metrics.")
    names = tuple(name.strip() for name in metrics.split(",") if name.strip())
    if not names:
        raise typer.BadParameter("--metrics takes names with commas between, or all.")
    document: FileScores | RunScores
    if source.suffix == ".npz" or source.is_file():
        if n is not None or data is not None:
            option = "--samples" if data is None else "--data"
            raise typer.BadParameter(f"{option} is for runs: all rows of a file are scored.")
        from gordium.evaluation.array_files import evaluate_arrays

        document = evaluate_arrays(source, metrics=names, seed=seed, out=out)
    else:
        from gordium.evaluation.representation import N_IMAGES
        from gordium.evaluation.run_scores import evaluate_run

        run, dataset = options.load_run_and_data(source, data=data, device=device)
        n = n or N_IMAGES
        document = evaluate_run(run, dataset, metrics=names, n=n, seed=seed, out=out)
    if as_json:
        print_json(document)
    else:
        _show(document)


def _show(document: "FileScores | RunScores") -> None:
    lines = [
        *((n, "undefined" if v is None else f"{v:.4f}") for n, v in document["scores"].items()),
        *((name, f"left out: {reason}") for name, reason in document["left_out"].items()),
    ]
    if "n_images" in document:
        lines.append(("active units", str(document["active_units"])))
        lines.append(("over-pruned", str(document["over_pruned"])))
        lines.append(("images", f"{document['n_images']:,} ({document['sampling']})"))
    else:
        lines.append(("samples", f"{document['n_samples']:,}"))
    print_table(("score", "value"), lines)
