"""Figures of images, uint8 (h, w, c), and of a few scores; and figures as files."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from gordium.report.rows import Summary

Picture = NDArray[Any]
COLOURS = {"original": "#3b6ea8", "modified": "#c8483c", "noise": "#7a7a7a"}


def image_grid(rows: Mapping[str, Sequence[Picture]], *, zoom: float = 1.0) -> bytes:
    """Images in labelled rows, which may differ in length."""
    n_columns = max(len(images) for images in rows.values())
    figure, axes = plots((zoom * (n_columns + 1.6), zoom * len(rows)), len(rows), n_columns)
    for line, (label, images) in zip(axes, rows.items(), strict=True):
        for axis, image in zip(line, [*images, *[None] * n_columns], strict=False):
            show_picture(axis, image)
        line[0].set_ylabel(label, rotation=0, ha="right", va="center", fontsize=9 * zoom)
    return to_png(figure)


def titled_row(pictures: Mapping[str, Picture]) -> bytes:
    """Large pictures beside one another, each under its title."""
    figure, (axes,) = plots((3.0 * len(pictures), 3.6), 1, len(pictures))
    for axis, (title, picture) in zip(axes, pictures.items(), strict=True):
        show_picture(axis, picture)
        axis.set_title(title, fontsize=11)
    return to_png(figure)


def sums(
    originals: Sequence[Picture],
    changes: Sequence[Picture],
    altered: Sequence[Picture],
    epsilon: float,
) -> bytes:
    """Figure 4 of Zietlow et al. 2021: rows of original + epsilon * change = altered.

    Changes are in units of epsilon, -1 to 1, and shown with 0 as grey.
    """
    n = len(originals)
    figure, axes = plots((6.4, 1.9 * n), n, 3)
    titles = ("original", f"change, ×{epsilon:g}", "altered")
    for line, *images in zip(axes, originals, changes, altered, strict=True):
        shown = (images[0], np.clip(0.5 + 0.5 * images[1], 0, 1), images[2])
        for axis, image in zip(line, shown, strict=True):
            show_picture(axis, image)
        for axis, sign in zip(line[:2], "+=", strict=True):
            axis.annotate(
                sign, (1.09, 0.5), xycoords="axes fraction", fontsize=20, ha="center", va="center"
            )
    for axis, title in zip(axes[0], titles, strict=True):
        axis.set_title(title, fontsize=11)
    return to_png(figure)


def scores(summaries: Mapping[str, Summary], *, label: str) -> bytes:
    """One column for each variant: every seed as a point, the mean as a bar."""
    figure, axis = plot((max(4.4, 1.05 * len(summaries)), 3.0))
    for x, (variant, summary) in enumerate(summaries.items()):
        colour = COLOURS.get(variant, "black")
        spread = np.linspace(-0.12, 0.12, len(summary.values)) if len(summary.values) > 1 else [0]
        axis.bar(x, summary.mean, width=0.55, color=colour, alpha=0.3)
        axis.plot(x + np.asarray(spread), summary.values, "o", color=colour, markersize=5)
    axis.set_xticks(range(len(summaries)), list(summaries))
    top = max(1e-9, *(max(s.values) for s in summaries.values())) * 1.15
    axis.set(ylabel=label, ylim=(0, top))
    return to_png(figure)


def curves(lines: Sequence[tuple[str, Sequence[Mapping[str, float]]]], *, term: str) -> bytes:
    """One term of several histories over training; histories of one name have one colour."""
    figure, axis = plot((5.6, 3.2))
    seen: set[str] = set()
    for name, history in lines:
        steps, values = [row["step"] for row in history], [row[term] for row in history]
        legend = name if name not in seen else None
        axis.plot(steps, values, color=COLOURS.get(name), linewidth=1, alpha=0.8, label=legend)
        seen.add(name)
    axis.set(xlabel="step", ylabel=term)
    if all(value > 0 for _, history in lines for value in (row[term] for row in history)):
        axis.set_yscale("log")
    if len(seen) > 1:
        axis.legend(frameon=False)
    return to_png(figure)


def show_picture(axis: Axes, image: Picture | None) -> None:
    """Draw an image without a frame, uint8 or from 0 to 1; None leaves the place empty."""
    axis.set(xticks=[], yticks=[])
    axis.spines[:].set_visible(False)
    if image is not None:
        grey = image.shape[-1] == 1
        limit = 255 if image.dtype == np.uint8 else 1.0
        axis.imshow(image[..., 0] if grey else image, cmap="gray", vmin=0, vmax=limit)


def plots(
    size: tuple[float, float], rows: int, columns: int, **options: Any
) -> tuple[Figure, NDArray[Any]]:
    """A figure of several plots, and the plots as an array (rows, columns)."""
    figure = Figure(figsize=size, layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, **options)


def plot(size: tuple[float, float]) -> tuple[Figure, Axes]:
    """A figure of one plot, without the frame's upper and right lines."""
    figure, ((axis,),) = plots(size, 1, 1)
    axis.spines[["top", "right"]].set_visible(False)
    return figure, axis


def to_png(figure: Figure) -> bytes:
    """The figure as the bytes of a PNG file, the same for the same figure."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=110, metadata={"Software": None})
    return buffer.getvalue()


def to_pdf(figure: Figure) -> bytes:
    """The figure as the bytes of a PDF file, without the date."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="pdf", metadata={"CreationDate": None})
    return buffer.getvalue()
