"""Figures of scores along a hyperparameter, and of their distribution over runs."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from gordium.report.figures.charts import MARKERS, PALETTE, bare, legend
from gordium.report.figures.images import COLOURS, to_png


class Curve(NamedTuple):
    """Means at each place along x with the spread of both, and what each place is called."""

    x: ArrayLike
    y: ArrayLike
    x_error: ArrayLike
    y_error: ArrayLike
    names: Sequence[str] = ()


class Search(NamedTuple):
    """Means along the factor with the ends of their intervals; runs used and discarded."""

    factor: ArrayLike
    mean: ArrayLike
    low: ArrayLike
    high: ArrayLike
    n: Sequence[int]
    n_discarded: Sequence[int]


def tradeoff_curves(curves: Mapping[str, Curve], *, x_label: str, y_label: str) -> bytes:
    """Figure 5 (b) and (c) of Stuehmer et al. 2020: one curve a method, error bars both ways."""
    figure = Figure(figsize=(5.4, 3.6), layout="constrained")
    axis = figure.subplots()
    for i, (name, curve) in enumerate(curves.items()):
        colour, marker = PALETTE[i % len(PALETTE)], MARKERS[i % len(MARKERS)]
        style: dict[str, Any] = {"color": colour, "marker": marker, "markersize": 5, "linewidth": 1}
        axis.errorbar(*curve[:2], xerr=curve.x_error, yerr=curve.y_error, label=name, **style)
        for x, y, text in zip(np.asarray(curve.x), np.asarray(curve.y), curve.names, strict=False):
            _note(axis, text, (x, y), colour)
    axis.set_xlabel(x_label)
    axis.set_ylabel(y_label)
    legend(figure, axis, len(curves))
    return to_png(bare(figure))


def line_searches(
    panels: Mapping[str, Mapping[str, Search]],
    *,
    label: str,
    x_label: str = "factor of the default",
) -> bytes:
    """Figure 5 of Zietlow et al. 2021: a panel for each method, a line for each variant.

    Beside a point of which runs were discarded stands how many; a cross at the bottom marks a
    factor at which none was left.
    """
    figure = Figure(figsize=(3.3 * len(panels) + 0.6, 3.0), layout="constrained")
    axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for axis, (title, lines) in zip(axes, panels.items(), strict=True):
        for i, (name, line) in enumerate(lines.items()):
            _search(axis, name, line, COLOURS.get(name, PALETTE[i]))
        axis.set_title(title, fontsize=10)
        factors = sorted({float(x) for line in lines.values() for x in np.asarray(line.factor)})
        if factors and factors[0] > 0:
            axis.set_xscale("log")
        axis.set_xticks(factors, [f"{factor:g}" for factor in factors], fontsize=8)
        axis.set_xticks([], minor=True)
        axis.set_xlabel(x_label)
    axes[0].set_ylabel(label)
    legend(figure, axes[-1], max(len(lines) for lines in panels.values()))
    return to_png(bare(figure))


def distributions(panels: Mapping[str, Mapping[str, ArrayLike]]) -> bytes:
    """Figure 3 of Locatello et al. 2019: how values spread, a panel a metric, a column a group."""
    n_columns = min(3, len(panels))
    n_lines = -(-len(panels) // n_columns)
    figure = Figure(figsize=(3.3 * n_columns, 2.7 * n_lines), layout="constrained")
    axes = figure.subplots(n_lines, n_columns, squeeze=False).ravel()
    for axis, (title, groups) in zip(axes, panels.items(), strict=False):
        values = [np.asarray(group, dtype=np.float64) for group in groups.values()]
        axis.boxplot(values, widths=0.6, flierprops={"markersize": 2}, medianprops={"color": "k"})
        axis.set_xticks(
            range(1, len(values) + 1), list(groups), rotation=30, ha="right", fontsize=7
        )
        axis.set_title(title, fontsize=10)
    for axis in axes[len(panels) :]:
        axis.set_visible(False)
    return to_png(bare(figure))


def _search(axis: Axes, name: str, line: Search, colour: str) -> None:
    factor, mean, low, high = (np.asarray(v, dtype=np.float64) for v in line[:4])
    axis.plot(factor, mean, "o-", color=colour, markersize=4, linewidth=1.2, label=name)
    axis.fill_between(factor, low, high, color=colour, alpha=0.15, linewidth=0)
    for x, y, n, gone in zip(factor, mean, line.n, line.n_discarded, strict=True):
        if gone and n:
            _note(axis, f"−{gone}", (x, y), colour)
    empty = factor[np.asarray(line.n) == 0]
    bottom = axis.get_xaxis_transform()
    axis.plot(empty, np.full(len(empty), 0.03), "x", color=colour, transform=bottom)


def _note(axis: Axes, text: str, at: tuple[float, float], colour: str) -> None:
    style: dict[str, Any] = {"xytext": (3, 4), "textcoords": "offset points", "fontsize": 7}
    axis.annotate(text, at, color=colour, **style)
