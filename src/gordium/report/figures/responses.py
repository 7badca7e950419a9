"""What each latent unit responds to: maps of position, curves of other factors, traversals."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gordium.arrays import Floats
from gordium.report.figures.charts import strip_frame
from gordium.report.figures.images import plots, to_png

LINES = ("#c8483c", "#4f9a5b", "#3b6ea8", "#d39a2d")


class Response(NamedTuple):
    """A unit's mean code over positions (y, x) and along other factors, and images as it moves.

    Each curve is (groups, values): one line for each shape, or a single one.
    """

    name: str
    position: Floats | None
    curves: Mapping[str, Floats]
    images: Sequence[NDArray[Any]]


def responses(units: Sequence[Response]) -> bytes:
    """One row for each unit; all share the scale of codes."""
    has_map = units[0].position is not None
    names, n_images = list(units[0].curves), len(units[0].images)
    n_columns = has_map + len(names) + n_images
    widths = [1.0] * has_map + [1.2] * len(names) + [0.8] * n_images
    size = (1.1 * sum(widths) + 0.8, 1.15 * len(units) + 0.3)
    figure, axes = plots(size, len(units), n_columns, width_ratios=widths)
    drawn = [v for u in units for v in (*u.curves.values(), u.position) if v is not None]
    reach = max((float(np.abs(v).max()) for v in drawn), default=0.0)
    for line, unit in zip(axes, units, strict=True):
        if unit.position is not None:
            line[0].imshow(unit.position, cmap="RdBu_r", vmin=-reach, vmax=reach)
        for axis, curves in zip(line[has_map:], unit.curves.values(), strict=False):
            for curve, colour in zip(curves, LINES, strict=False):
                axis.plot(curve, color=colour, linewidth=1)
            axis.set_ylim(-reach, reach)
        for axis, image in zip(line[n_columns - n_images :], unit.images, strict=True):
            axis.imshow(image[..., 0] if image.shape[-1] == 1 else image, cmap="gray", vmax=255)
        line[0].set_ylabel(unit.name, rotation=0, ha="right", va="center", fontsize=8)
    for axis in axes.ravel():
        axis.set(xticks=[], yticks=[])
    for axis, title in zip(axes[0], ["position"] * has_map + names, strict=False):
        axis.set_title(title, fontsize=8)
    return to_png(strip_frame(figure))


def position_maps(columns: Mapping[str, Sequence[NDArray[Any]]]) -> bytes:
    """Titled columns of maps (y, x); below each, its first two maps as points of a plane."""
    n_rows = max(len(shown) for shown in columns.values())
    figure, axes = plots((2.9 * len(columns), 2.7 * (n_rows + 1)), n_rows + 1, len(columns))
    for line, (title, shown) in zip(axes.T, columns.items(), strict=True):
        for row, values in enumerate(shown):
            middle = (np.nanmin(values) + np.nanmax(values)) / 2
            line[row].imshow(values - middle, cmap="RdBu_r")
            line[row].set(xticks=[], yticks=[], xlabel="x", ylabel="y")
        line[0].set_title(title, fontsize=10)
        line[-1].plot(shown[0].ravel(), shown[1].ravel(), ".", color="#7a7a7a", markersize=2)
        line[-1].set_aspect("equal", adjustable="datalim")
        line[-1].set(xlabel="first unit", ylabel="second unit")
    for row in range(n_rows):
        axes[row, 0].set_ylabel(f"unit {row + 1}\n\ny")
    return to_png(figure)
