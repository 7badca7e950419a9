"""Figures of scores along a hyperparameter, and of their distribution over runs."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from gordium.arrays import Floats
from gordium.report.figures.charts import MARKERS, PALETTE, legend, strip_frame
from gordium.report.figures.images import COLOURS, plot, plots, to_png
from gordium.report.names import sort_names

COLUMNS = 3  # panels in a row, so that they can be read on a page
FEW = 10  # fewer values get no box, which would say more than they do


def tradeoff_curves(
    curves: Mapping[str, pd.DataFrame], *, x_label: str, y_label: str, names: Sequence[str] = ()
) -> bytes:
    """Figure 5 (b) and (c) of Stuehmer et al. 2020: a curve for each method, with error bars.

    A curve has the points of `tradeoff`, each named by its strength. `names` are all methods that
    related figures show: each has the same colour in all of them.
    """
    figure, axis = plot((5.4, 3.6))
    known = list(dict.fromkeys([*names, *curves]))
    for name, curve in curves.items():
        i = known.index(name)
        colour, marker = PALETTE[i % len(PALETTE)], MARKERS[i % len(MARKERS)]
        columns = [curve[name] for name in ("x", "y", "y_error", "x_error")]
        axis.errorbar(*columns, label=name, color=colour, marker=marker, ms=5, lw=1)
        for point in curve.itertuples():
            _note(axis, f"{point.strength:g}", (point.x, point.y), colour)
    axis.set(xlabel=x_label, ylabel=y_label)
    legend(figure, axis, len(curves))
    return to_png(figure)


def line_searches(
    panels: Mapping[str, Mapping[str, pd.DataFrame]],
    *,
    along: str,
    label: str,
    x_label: str,
    limits: tuple[float, float] | None = None,
) -> bytes:
    """Figure 5 of Zietlow et al. 2021: a panel for each method, a line for each variant.

    A line has the points of `seed_summary` over its column `along`. Methods and variants are in
    their fixed order, at most three panels in a row. Beside a point stands how many runs were
    discarded, if any; a cross at the bottom marks a factor at which no run was left. The axis ends
    at the `limits` of the score, even if intervals go beyond them.
    """
    figure, axes = _grid(len(panels))
    for axis, title in zip(axes, sort_names(panels), strict=True):
        lines = panels[title]
        for i, name in enumerate(sort_names(lines)):
            _search(axis, name, lines[name], along, COLOURS.get(name, PALETTE[i]))
        axis.set_title(title, fontsize=11)
        factors = sorted({x for line in lines.values() for x in line[along]})
        if factors and factors[0] > 0:
            axis.set_xscale("log")
        axis.set_xticks(factors, [f"{factor:g}" for factor in factors], fontsize=9)
        axis.set_xticks([], minor=True)
        axis.set_xlabel(x_label)
    for axis in axes[::COLUMNS]:
        axis.set_ylabel(label)
    if limits is not None:
        low, high = np.clip(axes[0].get_ylim(), *limits)
        margin = 0.05 * (high - low)
        axes[0].set_ylim(low - margin, high + margin)
    legend(figure, axes[-1], max(len(lines) for lines in panels.values()))
    return to_png(strip_frame(figure))


def distributions(
    panels: Mapping[str, Mapping[str, ArrayLike]],
    *,
    label: str,
    published: Mapping[str, float] | None = None,
) -> bytes:
    """Figure 3 of Locatello et al. 2019: how values of one score spread, a column for each group.

    Every value is a point; ten or more have a box behind them. The published value of a group is
    an open diamond beside it. All panels share the score's axis.
    """
    figure, axes = _grid(len(panels))
    for axis, (title, groups) in zip(axes, panels.items(), strict=True):
        axis.use_sticky_edges = False  # no point is cut in half by the frame
        for place, (name, values) in enumerate(groups.items()):
            spread(axis, place, np.asarray(values, dtype=np.float64), PALETTE[0])
            if published and name in published:
                theirs = [place + 0.38], [published[name]]
                axis.plot(*theirs, "D", color=PALETTE[1], fillstyle="none", label="published")
        axis.set_xticks(range(len(groups)), list(groups), rotation=30, ha="right", fontsize=9)
        axis.set_title(title, fontsize=11)
    for axis in axes[::COLUMNS]:
        axis.set_ylabel(label)
    if published:
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles[:1], labels[:1], frameon=False, loc="outside right upper")
    return to_png(strip_frame(figure))


def _grid(n: int) -> tuple[Figure, list[Axes]]:
    """A figure with n panels that share the axis of values, at most COLUMNS in a row."""
    n_columns = min(COLUMNS, n)
    n_lines = -(-n // n_columns)
    size = (3.4 * n_columns + 0.6, 3.0 * n_lines)
    figure, axes = plots(size, n_lines, n_columns, sharey=True)
    for axis in axes.flat[n:]:
        axis.set_visible(False)
    return figure, axes.flat[:n].tolist()


def spread(axis: Axes, place: float, values: Floats, colour: str, *, flat: bool = False) -> None:
    """Draw every value as a point, and a box behind ten or more; `flat` draws them along x."""
    shown = values[np.isfinite(values)]
    if len(shown) >= FEW:
        _box(axis, place, shown, flat=flat)
    aside = place + (np.linspace(-0.18, 0.18, len(shown)) if len(shown) > 1 else 0 * shown)
    places = (shown, aside) if flat else (aside, shown)
    axis.plot(*places, "o", zorder=4, color=colour, markersize=3.5, alpha=0.7)


def _box(axis: Axes, place: float, values: Floats, *, flat: bool) -> None:
    """Quartiles, the median, and lines to the last values within 1.5 times the box."""
    low, middle, high = np.percentile(values, [25, 50, 75])
    reach = 1.5 * (high - low)
    inside = values[(values >= low - reach) & (values <= high + reach)]
    bar, line, across = (
        (axis.barh, axis.hlines, axis.vlines) if flat else (axis.bar, axis.vlines, axis.hlines)
    )
    line(place, inside.min(), inside.max(), color="#777777", linewidth=1)
    start = {"left": low} if flat else {"bottom": low}
    bar(place, high - low, 0.6, **start, facecolor="white", edgecolor="#777777", zorder=2)
    across(middle, place - 0.3, place + 0.3, color="black", linewidth=1.5, zorder=3)


def _search(axis: Axes, name: str, line: pd.DataFrame, along: str, colour: str) -> None:
    columns = (along, "mean", "low", "high", "n", "n_discarded")
    factor, mean, low, high, n_used, discarded = line[[*columns]].to_numpy(np.float64).T
    axis.plot(factor, mean, "o-", color=colour, markersize=4, linewidth=1.2, label=name)
    if len(factor) == 1:  # a band over a single place has no width
        axis.vlines(factor, low, high, color=colour, alpha=0.4, linewidth=3)
    axis.fill_between(factor, low, high, color=colour, alpha=0.15, linewidth=0)
    for x, y, n, gone in zip(factor, mean, n_used, discarded, strict=True):
        if gone and n:
            _note(axis, f"{gone:.0f} left out", (x, y), colour)
    empty = factor[n_used == 0]
    bottom = axis.get_xaxis_transform()
    axis.plot(empty, np.full(len(empty), 0.03), "x", color=colour, transform=bottom)


def _note(axis: Axes, text: str, at: tuple[float, float], colour: str) -> None:
    axis.annotate(text, at, xytext=(3, 4), textcoords="offset points", fontsize=7, color=colour)
