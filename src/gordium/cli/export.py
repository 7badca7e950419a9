"""`gordium export`: write a run for other software."""

from pathlib import Path

import typer

from gordium.cli.printing import JSON, print_result


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
    if form == "onnx":
        worst = export_onnx(run, place)
        said = f"wrote encoder.onnx and decoder.onnx to {place}; off by at most {worst:.1g}"
    else:
        place, worst = export_folder(run, place, licence=licence), None
        said = f"wrote {place}"
    found = {"written": place, "format": form, "largest_difference": worst}
    print_result(found, said, as_json=as_json)
