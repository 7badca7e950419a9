"""Figures of a decoder's geometry, as PNG: arrays in, nothing computed."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from gordium.report.figures.charts import Array, strip_frame
from gordium.report.figures.images import Picture, plot, plots, show_picture, to_png

FEW = 12  # rows or columns up to which numbers are written into cells


def heat_maps(
    panels: Mapping[str, Array], *, rows: Sequence[str], columns: Sequence[str], top: bool = True
) -> bytes:
    """Matrices of values from 0 up, each on its own scale; without `top` labels are slanted."""
    width = 0.55 * len(columns) + 1.6
    figure, (axes,) = plots((width * len(panels), 0.42 * len(rows) + 1.0), 1, len(panels))
    for axis, (title, values) in zip(axes, panels.items(), strict=True):
        axis.imshow(values, cmap="Blues", vmin=0, vmax=max(1e-12, values.max()), aspect="auto")
        axis.set_title(title, fontsize=9)
        axis.set_xticks(range(len(columns)), columns, fontsize=8, rotation=0 if top else 30)
        axis.set_yticks(range(len(rows)), rows, fontsize=8)
        if max(values.shape) <= FEW:
            _write(axis, values)
    return to_png(figure)


def columns_at_points(
    pictures: Sequence[Picture], columns: Sequence[Sequence[Array]], units: Sequence[str]
) -> bytes:
    """One row for each point: the decoded image, and its change with each unit; 0 is grey."""
    size = (0.95 * (len(units) + 1), 0.95 * len(pictures) + 0.3)
    figure, axes = plots(size, len(pictures), len(units) + 1)
    for line, picture, changes in zip(axes, pictures, columns, strict=True):
        for axis, shown in zip(line, [picture, *(0.5 + 0.5 * c for c in changes)], strict=True):
            show_picture(axis, shown)
    for axis, title in zip(axes[0], ["decoded", *units], strict=True):
        axis.set_title(title, fontsize=8)
    return to_png(figure)


def picture_plane(rows: Sequence[Sequence[Picture]], *, down: str, across: str) -> bytes:
    """A grid of images over two units."""
    n = len(rows)
    close = ConstrainedLayoutEngine(w_pad=0.01, h_pad=0.01, wspace=0, hspace=0)
    figure = Figure(figsize=(0.75 * n + 0.4, 0.75 * n + 0.4), layout=close)
    for line, images in zip(figure.subplots(n, n, squeeze=False), rows, strict=True):
        for axis, image in zip(line, images, strict=True):
            show_picture(axis, image)
    figure.supxlabel(across, fontsize=9)
    figure.supylabel(down, fontsize=9)
    return to_png(figure)


def responses(values: Array, outputs: Array, units: Sequence[str]) -> bytes:
    """The outputs (units, values, outputs) of a decoder of vectors, over values of each unit."""
    n = len(units)
    figure, (axes,) = plots((2.3 * n + 0.6, 2.3), 1, n, sharey=True)
    for axis, unit, lines in zip(axes, units, outputs, strict=True):
        axis.plot(values, lines, linewidth=1.2)
        axis.set_xlabel(unit, fontsize=9)
    axes[0].set_ylabel("outputs", fontsize=9)
    return to_png(strip_frame(figure))


def net(lines: Array, points: Array, *, down: str, across: str) -> bytes:
    """A decoded grid (first unit, second unit, 2) as a net over a cloud of points (n, 2)."""
    figure, axis = plot((4.6, 3.8))
    axis.plot(*points.T, ".", color="#bbbbbb", markersize=2, zorder=0)
    for k, (line, other) in enumerate(zip(lines, lines.swapaxes(0, 1), strict=True)):
        axis.plot(*line.T, color="#3b6ea8", linewidth=1, label=None if k else f"{across} moves")
        axis.plot(*other.T, color="#c8483c", linewidth=1, label=None if k else f"{down} moves")
    axis.set_aspect("equal", adjustable="datalim")
    axis.set_xlabel("first principal component of the data", fontsize=9)
    axis.set_ylabel("second", fontsize=9)
    axis.legend(frameon=False, fontsize=8)
    return to_png(figure)


def _write(axis: Axes, values: Array) -> None:
    digits = ".2f" if values.max() < 10 else ".3g"
    for (i, j), value in np.ndenumerate(values):
        colour = "white" if value > 0.6 * values.max() else "#222222"
        axis.text(j, i, f"{value:{digits}}", ha="center", va="center", fontsize=7, color=colour)
