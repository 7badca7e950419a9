"""Values over a grid of positions, blue below their middle and red above, as PNG."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from gordium.report.figures.images import to_png


def position_maps(columns: Mapping[str, Sequence[NDArray[Any]]]) -> bytes:
    """A titled column of fields (y, x) each; below them, where the values lie in a plane."""
    n_rows = max(len(shown) for shown in columns.values())
    figure = Figure(figsize=(2.9 * len(columns), 2.7 * (n_rows + 1)), layout="constrained")
    axes = figure.subplots(n_rows + 1, len(columns), squeeze=False)
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
