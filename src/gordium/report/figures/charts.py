"""Charts of many kinds: arrays in, PNG out."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from gordium.report.figures.images import plot, plots, to_png

Array = NDArray[Any]
PALETTE = ("#3b6ea8", "#c8483c", "#4f9a5b", "#d39a2d", "#7d5ba6", "#4aa5b0", "#8a5a44", "#7a7a7a")
MARKERS = "osD^vP*X"


def heatmap(
    table: ArrayLike,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    percent: bool = False,
    published: ArrayLike | None = None,
) -> bytes:
    """Numbers on colours: correlations from -1 to 1, or shares from 0 to 1 as percentages.

    Published numbers stand below ours in brackets, where they are known.
    """
    values = np.asarray(table, dtype=np.float64)
    theirs = np.broadcast_to(
        np.nan if published is None else np.asarray(published, np.float64), values.shape
    )
    height = 0.42 if published is None else 0.6
    size = (1.8 + 0.72 * len(columns), 1.1 + height * len(rows))
    figure, ((axis,),) = plots(size, 1, 1)
    colours, low = ("Blues", 0.0) if percent else ("RdBu", -1.0)
    axis.imshow(values, cmap=colours, vmin=low, vmax=1.0, aspect="auto")
    for (i, j), value in np.ndenumerate(values):
        text = _number(value, percent=percent)
        if np.isfinite(theirs[i, j]):
            text += f"\n[{_number(float(theirs[i, j]), percent=percent)}]"
        colour = "white" if abs(value) > 0.6 else "black"
        axis.text(j, i, text, ha="center", va="center", fontsize=9, color=colour)
    if published is not None:
        axis.set_title("here, and below [as published]", fontsize=9)
    axis.set_xticks(range(len(columns)), columns, rotation=30, ha="right")
    axis.set_yticks(range(len(rows)), rows)
    axis.spines[:].set_visible(False)
    axis.tick_params(length=0)
    return to_png(figure)


def _number(value: float, *, percent: bool) -> str:
    if not np.isfinite(value):
        return "–"
    return f"{100 * value:.0f}%" if percent else f"{value:.2f}".replace("-", "−")


def chances(found: Mapping[str, float], *, published: Mapping[str, float] | None = None) -> bytes:
    """A bar for each case from 0 to 1, a dashed line at one half; published ones as diamonds."""
    figure, axis = plot((6.0, 1.0 + 0.42 * len(found)))
    places = np.arange(len(found))
    axis.barh(places, list(found.values()), height=0.55, color=PALETTE[0], alpha=0.6, label="here")
    if published:
        theirs = [published.get(case, np.nan) for case in found]
        axis.plot(theirs, places, "D", color=PALETTE[1], label="published")
        axis.legend(frameon=False, loc="lower right")
    axis.axvline(0.5, color="black", linewidth=1, linestyle="--")
    axis.set_yticks(places, list(found))
    axis.invert_yaxis()
    axis.set(xlim=(0, 1), xlabel="chance of doing at least as well")
    return to_png(figure)


def scatter(
    groups: Mapping[str, tuple[ArrayLike, ArrayLike]], *, x_label: str, y_label: str
) -> bytes:
    """A point for each run, a colour and marker for each group."""
    figure, axis = plot((4.8, 3.4))
    for i, (name, (x, y)) in enumerate(groups.items()):
        colour, marker = PALETTE[i % len(PALETTE)], MARKERS[i % len(MARKERS)]
        axis.scatter(x, y, s=16, alpha=0.6, linewidths=0, label=name, color=colour, marker=marker)
    axis.set(xlabel=x_label, ylabel=y_label)
    legend(figure, axis, len(groups))
    return to_png(figure)


def strip_frame(figure: Figure) -> Figure:
    """The figure without the frame's upper and right lines."""
    for axis in figure.axes:
        axis.spines[["top", "right"]].set_visible(False)
    return figure


def legend(figure: Figure, axis: Axes, n: int) -> None:
    """Put names beside the axes, where they hide no point; a single group gets none."""
    if n > 1:
        handles, labels = axis.get_legend_handles_labels()
        figure.legend(handles, labels, frameon=False, fontsize=8, loc="outside right upper")


def lines(x: ArrayLike, curves: Mapping[str, ArrayLike], x_label: str) -> bytes:
    """A named line for each curve of KL divergences."""
    figure, axis = plot((5.6, 3.2))
    for i, (name, y) in enumerate(curves.items()):
        axis.plot(x, y, color=PALETTE[i % len(PALETTE)], linewidth=1.4, label=name)
    axis.set(xlabel=x_label, ylabel="KL, nats")
    legend(figure, axis, len(curves))
    return to_png(figure)


class Histogram(NamedTuple):
    """Samples (n,), and a density given at points."""

    samples: Array
    points: Array
    density: Array


def histograms(rows: Mapping[str, Mapping[str, Histogram]]) -> bytes:
    """Titled histograms in labelled rows, with the densities as red lines."""
    n_columns = max(len(row) for row in rows.values())
    figure, axes = plots((3.2 * n_columns, 2.5 * len(rows)), len(rows), n_columns)
    for line, (label, row) in zip(axes, rows.items(), strict=True):
        for axis, (title, shown) in zip(line, row.items(), strict=False):
            axis.hist(shown.samples, bins=60, density=True, color="#a9c3e0")
            axis.plot(shown.points, shown.density, color="#c8483c", linewidth=1.4)
            axis.set_title(title, fontsize=9)
            axis.set_xlabel(label, fontsize=9)
            axis.set_yticks([])
            axis.spines[["top", "right", "left"]].set_visible(False)
    return to_png(figure)
