"""`gordium export`: a run for other software."""

from pathlib import Path

import typer

from gordium.cli.printing import JSON, print_json


def export(
    run: Path = typer.Argument(help="Folder of a finished run."),
    form: str = typer.Option(
        "folder",
        "--format",
        help="onnx: encoder.onnx and decoder.onnx, checked against PyTorch; folder: weights, "
        "declaration, scores and a model card, as models are shared.",
    ),
    out: Path | None = typer.Option(None, help="Folder to write (default: RUN-onnx, RUN-folder)."),
    licence: str = typer.Option("apache-2.0", help="What the model card says of the licence."),
    as_json: bool = JSON,
) -> None:
    """Write a run so that other software can read it, e.g.

    gordium export runs/a --format onnx --out exported
    """
    from gordium.export import export_folder, export_onnx
    from gordium.lookup import pick

    pick("format", form, dict.fromkeys(("onnx", "folder")))
    place = out or run.with_name(f"{run.name}-{form}")
    worst = None
    if form == "onnx":
        worst = export_onnx(run, place)
    else:
        place = export_folder(run, place, licence=licence)
    if as_json:
        print_json({"written": place, "format": form, "largest_difference": worst})
    elif worst is not None:
        typer.echo(f"wrote encoder.onnx and decoder.onnx to {place}; off by at most {worst:.1g}")
    else:
        typer.echo(f"wrote {place}")
