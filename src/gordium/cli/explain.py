"""`gordium explain`: one page on why a run is as it is."""

from pathlib import Path

import typer

from gordium.cli import options
from gordium.cli.printing import JSON, print_json, print_table


def explain(
    run: Path = typer.Argument(help="Folder of a finished run."),
    out: Path | None = typer.Option(None, help="The page to write (default: RUN/explain.html)."),
    points: int = typer.Option(200, min=1, help="Images at which the decoder is looked at."),
    seed: int = typer.Option(0, min=0, help="Decides which images, and the noise."),
    data: Path | None = options.DATA,
    device: str = options.DEVICE,
    as_json: bool = JSON,
) -> None:
    """Explain a trained run, whatever its method and data set.

    Active units and their precision, what each unit changes (Jacobian columns and traversals),
    how orthogonal these changes are against chance, where the reconstruction loss comes from, and
    which factors the units follow. Writes one HTML page, and its numbers as JSON beside it.
    """
    from gordium.explain import explain as write
    from gordium.explain.page import collapse

    if out is not None and out.suffix != ".html":
        raise typer.BadParameter(f"--out takes the name of an .html file; got {out}.")
    trained, dataset = options.load_run_and_data(run, data=data, device=device)
    place = out or run / "explain.html"
    command = options.command_line()
    found = write(trained, dataset, out=place, command=command, points=points, seed=seed)
    if as_json:
        print_json({"page": place, **found})
        return
    lines = [(name, f"{value:.3f}") for name, value in found["scores"].items()]
    if found["regime"]:
        lines.append(("active units", str(found["regime"]["active_units"])))
        lines.append(("Delta_KL", f"{100 * found['regime']['delta_kl']:.1f} %"))
    if found["orthogonality"]:
        for name in ("all", "active", "random_rotation"):
            if name in found["orthogonality"]:
                distance = found["orthogonality"][name]["mean"]
                words = f"distance to orthogonality, {name.replace('_', ' ')}"
                lines.append((words, f"{distance:.3f}"))
    print_table(("", ""), lines)
    for sentence in collapse(found):
        typer.echo(sentence)
    typer.echo(f"The whole page: {place}")
