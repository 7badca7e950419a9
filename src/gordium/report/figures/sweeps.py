"""Figures of scores along a hyperparameter, and of their distribution over runs."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from gordium.report.figures.charts import MARKERS, PALETTE, legend, strip_frame
from gordium.report.figures.images import COLOURS, to_png

FEW = 10  # of fewer values a box says more than there is to say


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
    return to_png(strip_frame(figure))


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
    return to_png(strip_frame(figure))


def distributions(panels: Mapping[str, Mapping[str, ArrayLike]]) -> bytes:
    """Figure 3 of Locatello et al. 2019: how values spread, a panel a metric, a column a group.

    Every value is a point; from ten values on a box lies behind them.
    """
    n_columns = min(3, len(panels))
    n_lines = -(-len(panels) // n_columns)
    figure = Figure(figsize=(3.6 * n_columns, 3.0 * n_lines), layout="constrained")
    axes = figure.subplots(n_lines, n_columns, squeeze=False).ravel()
    for axis, (title, groups) in zip(axes, panels.items(), strict=False):
        for place, values in enumerate(groups.values()):
            spread(axis, place, np.asarray(values, dtype=np.float64), PALETTE[0])
        axis.set_xticks(range(len(groups)), list(groups), rotation=30, ha="right", fontsize=9)
        axis.set_title(title, fontsize=11)
    for axis in axes[len(panels) :]:
        axis.set_visible(False)
    return to_png(strip_frame(figure))


def spread(
    axis: Axes, place: float, values: NDArray[np.float64], colour: str, *, flat: bool = False
) -> None:
    """Every value as a point, side by side a little; a box behind ten or more. `flat`: along x."""
    shown = values[np.isfinite(values)]
    if len(shown) >= FEW:
        _box(axis, place, shown, flat=flat)
    aside = place + (np.linspace(-0.18, 0.18, len(shown)) if len(shown) > 1 else 0 * shown)
    style: dict[str, Any] = {"color": colour, "markersize": 3.5, "alpha": 0.7}
    axis.plot(*((shown, aside) if flat else (aside, shown)), "o", zorder=4, **style)


def _box(axis: Axes, place: float, values: NDArray[np.float64], *, flat: bool) -> None:
    """Quartiles, the median, and lines to the last values within 1.5 times the box."""
    low, middle, high = np.percentile(values, [25, 50, 75])
    reach = 1.5 * (high - low)
    inside = values[(values >= low - reach) & (values <= high + reach)]
    bar, line, across = (
        (axis.barh, axis.hlines, axis.vlines) if flat else (axis.bar, axis.vlines, axis.hlines)
    )
    line(place, inside.min(), inside.max(), color="#777777", linewidth=1)
    start: dict[str, Any] = {"left": low} if flat else {"bottom": low}
    bar(place, high - low, 0.6, **start, facecolor="white", edgecolor="#777777", zorder=2)
    across(middle, place - 0.3, place + 0.3, color="black", linewidth=1.5, zorder=3)


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
