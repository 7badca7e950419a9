"""Figures of axes: how codes, decoders and point clouds are turned against one another."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from gordium.arrays import Floats, Integers
from gordium.report.figures.images import plots, to_png


def alignment(angles: Floats, prices: Floats, tables: Mapping[str, Floats]) -> bytes:
    """The price of noise over a turn of the axes; then |cos| of decoders with PCA's axes."""
    n = len(tables)
    size = (3.4 + 1.75 * n, 2.9)
    figure, ((first, *others),) = plots(size, 1, n + 1, width_ratios=[1.7] + [1] * n)
    first.plot(angles, prices, color="#3b6ea8")
    first.axvline(0, color="black", linewidth=0.6, linestyle=":")
    label = "turn of the first two axes\nagainst PCA's, degrees"
    first.set(xticks=[-90, -45, 0, 45, 90], xlabel=label, ylabel="price of latent noise / lowest")
    first.spines[["top", "right"]].set_visible(False)
    for i, (axis, (name, table)) in enumerate(zip(others, tables.items(), strict=True)):
        axis.imshow(table, cmap="Greys", vmin=0, vmax=1)
        for (row, column), value in np.ndenumerate(table):
            colour = "white" if value > 0.5 else "black"
            axis.text(column, row, f"{value:.2f}", ha="center", va="center", color=colour, size=8)
        axis.set_title(name.replace(", ", "\n"), fontsize=9)
        axis.set_xticks(range(table.shape[1]), [f"unit {k}" for k in "abc"[: table.shape[1]]])
        axis.set_yticks(range(len(table)), [f"PC {k + 1}" for k in range(len(table))])
        axis.tick_params(length=0, labelsize=8, labelleft=i == 0)
    return to_png(figure)


Panel = tuple[Floats, Integers, NDArray[np.bool_]]
MOST = 2500  # points that are drawn


def clouds(panels: Mapping[str, Panel]) -> bytes:
    """Point clouds side by side: points (n, 2), their colours, and which are in the inset.

    Each inset is an enlarged part of the cloud with its principal axes; the cloud called "data"
    has its own as well (codes of unit variance have none).
    """
    figure, (axes,) = plots((3.5 * len(panels), 3.7), 1, len(panels))
    for axis, (name, (points, labels, inside)) in zip(axes, panels.items(), strict=True):
        low, high = points.min(axis=0), points.max(axis=0)
        room = 0.75 * (high - low).max()  # the inset lies above the points
        centre = (low + high) / 2
        _scatter(axis, points[:MOST], labels[:MOST], labels[:MOST].max())
        if name == "data":
            _axes_of(axis, points)
        low, high = centre - room, centre + room * np.array([1, 1.4])
        axis.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
        inset = axis.inset_axes((0.03, 0.66, 0.4, 0.32))
        _scatter(inset, points[inside], labels[inside], labels.max())
        _axes_of(inset, points[inside])
        inset.set_aspect("equal", adjustable="datalim")
        inset.set(xticks=[], yticks=[])
        axis.set_title(name, fontsize=11)
        axis.tick_params(labelsize=8)
    return to_png(figure)


def _scatter(axis: Axes, points: Floats, labels: Integers, top: int) -> None:
    x, y = points.T
    axis.scatter(x, y, c=labels, s=2, cmap="viridis", vmin=0, vmax=top, linewidths=0)


def _axes_of(axis: Axes, points: Floats) -> None:
    """Draw two standard deviations along each principal axis, as lines through the mean."""
    mean = points.mean(axis=0)
    values, vectors = np.linalg.eigh(np.cov(points.T))
    for value, vector, colour in zip(values, vectors.T, ("#3b6ea8", "#c8483c"), strict=True):
        ends = mean + np.outer([-2, 2], np.sqrt(value) * vector)
        axis.plot(*ends.T, color="white", linewidth=3.2)
        axis.plot(*ends.T, color=colour, linewidth=1.8)
