"""Histograms of samples with the density they should have, as PNG."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from matplotlib.figure import Figure
from numpy.typing import NDArray

from gordium.report.figures.images import to_png

Array = NDArray[Any]


class Histogram(NamedTuple):
    """Samples (n,), and a density given at points."""

    samples: Array
    points: Array
    density: Array


def histograms(rows: Mapping[str, Mapping[str, Histogram]]) -> bytes:
    """A labelled row each of titled histograms; the density is the red line."""
    n_columns = max(len(row) for row in rows.values())
    figure = Figure(figsize=(3.2 * n_columns, 2.5 * len(rows)), layout="constrained")
    axes = figure.subplots(len(rows), n_columns, squeeze=False)
    for line, (label, row) in zip(axes, rows.items(), strict=True):
        for axis, (title, shown) in zip(line, row.items(), strict=False):
            axis.hist(shown.samples, bins=60, density=True, color="#a9c3e0")
            axis.plot(shown.points, shown.density, color="#c8483c", linewidth=1.4)
            axis.set_title(title, fontsize=9)
            axis.set_xlabel(label, fontsize=9)
            axis.set_yticks([])
            axis.spines[["top", "right", "left"]].set_visible(False)
    return to_png(figure)
