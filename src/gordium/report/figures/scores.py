"""Figures of scores and codes of many runs, as PNG: arrays in."""

from collections.abc import Mapping, Sequence

import numpy as np

from gordium.arrays import Floats
from gordium.report.figures.charts import strip_frame
from gordium.report.figures.images import plot, plots, to_png

COLOURS = ("#3b6ea8", "#c8483c", "#4f8f5b", "#8a63a8", "#7a7a7a")


def codes_of_a_square(square: Floats, codes: Mapping[str, Floats]) -> bytes:
    """Figure S5 of Rolinek et al. 2019: points of a square, and their codes in several runs.

    Factors (n, 2) lie in [0, 1]; a point has the colour of its place in the square.
    """
    figure, (axes,) = plots((2.3 * (len(codes) + 1), 2.7), 1, len(codes) + 1)
    colours = np.column_stack([square[:, 0], 0.35 + 0 * square[:, 0], square[:, 1]])
    panels = {"factors": square, **codes}
    for axis, (title, points) in zip(axes, panels.items(), strict=True):
        axis.scatter(points[:, 0], points[:, 1], c=colours, s=3, linewidths=0)
        axis.set_title(title, fontsize=10)
        axis.set_aspect("equal", adjustable="datalim")
        axis.set_xlabel("first" if title == "factors" else "unit 0", fontsize=8)
        axis.set_ylabel("second" if title == "factors" else "unit 1", fontsize=8)
        axis.tick_params(labelsize=7)
    return to_png(strip_frame(figure))


def scores_over_strength(
    panels: Mapping[str, Mapping[str, Sequence[tuple[float, float]]]],
    *,
    strength: str,
    marks: Mapping[str, float],
) -> bytes:
    """Data sets as columns, scores as rows: every run is a point, and means are joined.

    `panels` is data set -> score -> (strength, value); `marks` has a strength to point out in each.
    """
    scores = list(next(iter(panels.values())))
    figure, axes = plots((4.0 * len(panels), 2.5 * len(scores)), len(scores), len(panels))
    for column, (name, by_score) in enumerate(panels.items()):
        for row, score in enumerate(scores):
            axis = axes[row, column]
            x, y = np.array(by_score[score]).T
            steps = np.unique(x)
            axis.plot(x, y, "o", color=COLOURS[0], markersize=4, alpha=0.6)
            axis.plot(steps, [y[x == s].mean() for s in steps], color=COLOURS[0])
            axis.axvline(marks[name], color=COLOURS[4], linestyle="--", linewidth=1)
            axis.set(xscale="log", ylabel=score)
        axes[0, column].set_title(name, fontsize=10)
        axes[-1, column].set_xlabel(strength)
    return to_png(strip_frame(figure))


def scatter(groups: Mapping[str, Sequence[tuple[float, float]]], *, x: str, y: str) -> bytes:
    """Points by group, each with a colour of its own."""
    figure, axis = plot((4.8, 3.4))
    for i, (name, points) in enumerate(groups.items()):
        colour = COLOURS[i % len(COLOURS)]
        axis.plot(*np.array(points).T, "o", color=colour, label=name, markersize=5, alpha=0.8)
    axis.set(xlabel=x, ylabel=y)
    axis.legend(frameon=False)
    return to_png(figure)


def draw_falling(
    lines: Mapping[str, tuple[Sequence[float], Sequence[float]]], *, level: float, y: str
) -> bytes:
    """Curves over training steps on a logarithmic scale, with a dashed line at `level`.

    Lines come in pairs of one colour, of which the second is dotted.
    """
    figure, axis = plot((6.4, 3.6))
    for i, (name, (steps, values)) in enumerate(lines.items()):
        colour = COLOURS[i // 2 % len(COLOURS)]
        axis.plot(steps, values, ("-", ":")[i % 2], color=colour, label=name, linewidth=1.2)
    axis.axhline(level, color="black", linestyle="--", linewidth=1)
    axis.set(yscale="log", xlabel="step", ylabel=y)
    axis.legend(frameon=False, fontsize=8, bbox_to_anchor=(1, 1), loc="upper left")
    return to_png(figure)
