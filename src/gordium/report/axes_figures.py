"""Figures of axes: how far codes, decoders and point clouds are turned against one another."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from gordium.report.figures import _png

Floats = NDArray[np.float64]


def alignment(angles: Floats, prices: Floats, tables: Mapping[str, Floats]) -> bytes:
    """Left the price of noise over a turn of the axes; then |cos| of decoders with PCA's axes."""
    n = len(tables)
    figure = Figure(figsize=(3.4 + 1.75 * n, 2.9), layout="constrained")
    first, *others = figure.subplots(1, n + 1, width_ratios=[1.7] + [1] * n)
    first.plot(angles, prices, color="#3b6ea8")
    first.axvline(0, color="black", linewidth=0.6, linestyle=":")
    first.set_xticks([-90, -45, 0, 45, 90])
    first.set_xlabel("turn of the first two axes\nagainst PCA's, degrees")
    first.set_ylabel("price of latent noise / lowest")
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
    return _png(figure)
