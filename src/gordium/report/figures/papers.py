"""Figures of a study for a paper: every run, with metrics as rows and variants as columns."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gordium.report.figures.charts import PALETTE, strip_frame
from gordium.report.figures.images import plots
from gordium.report.figures.sweeps import spread
from gordium.report.names import say_metric, sort_names


def every_run(rows: pd.DataFrame, metrics: Sequence[str]) -> Figure:
    """The runs of one data set; all panels show the same methods, and a row shares its axis."""
    methods, variants = sort_names(rows["method"]), sort_names(rows["variant"])
    size = (2.2 + 2.9 * len(variants), (0.9 + 0.27 * len(methods)) * len(metrics))
    figure, grid = plots(size, len(metrics), len(variants), sharex="row", sharey=True)
    for line, metric in zip(grid, metrics, strict=True):
        for axis, variant in zip(line, variants, strict=True):
            here = rows[(rows["metric"] == metric) & (rows["variant"] == variant)]
            _panel(axis, here, methods)
            axis.set_xlabel(say_metric(metric))
    for axis, variant in zip(grid[0], variants, strict=True):
        axis.set_title(variant, fontsize=11)
    return strip_frame(figure)


def _panel(axis: Axes, rows: pd.DataFrame, methods: Sequence[str]) -> None:
    for place, method in enumerate(methods):
        values = rows.loc[rows["method"] == method, "value"].to_numpy(dtype="float64")
        spread(axis, place, values, PALETTE[place % len(PALETTE)], flat=True)
    axis.set_yticks(range(len(methods)), methods)
    axis.set_ylim(len(methods) - 0.5, -0.5)
    axis.grid(axis="x", alpha=0.3)
