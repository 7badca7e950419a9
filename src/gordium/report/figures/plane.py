"""Figures of vectors, points and ellipses in a plane, and of curves, as PNG."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from gordium.report.figures.charts import Array, strip_frame
from gordium.report.figures.images import plots, to_png

BLUE, RED, GREY = "#3b6ea8", "#c8483c", "#7a7a7a"
PALETTE = (BLUE, RED, GREY, "#4f9d69", "#b8860b", "#6a4c93")


class Line(NamedTuple):
    """One curve: its name in the legend, x and y, and its style in matplotlib's letters."""

    name: str
    x: Array
    y: Array
    style: str = "-"


class Ellipses(NamedTuple):
    """The arrows of a weight matrix (2, k) and named covariances of the latent space (2, 2)."""

    title: str
    weights: Array
    covariances: Mapping[str, Array]


class Cloud(NamedTuple):
    """Points (n, 2), true and found columns (2, k), and the found ones' paths (steps, 2, k)."""

    title: str
    points: Array
    truth: Array
    found: Array | None = None
    path: Array | None = None


def curves(panels: Mapping[str, Sequence[Line]], *, x: str, y: str) -> bytes:
    """Titled panels side by side, each with its curves and a legend."""
    figure, (axes,) = plots((4.6 * len(panels), 3.4), 1, len(panels))
    for axis, (title, lines) in zip(axes, panels.items(), strict=True):
        for line, colour in zip(lines, PALETTE, strict=False):
            axis.plot(line.x, line.y, line.style, color=colour, label=line.name, linewidth=1.6)
        axis.set_title(title, fontsize=11)
        axis.set_xlabel(x)
        axis.legend(frameon=False, fontsize=9)
    axes[0].set_ylabel(y)
    return to_png(strip_frame(figure))


def weights_and_posteriors(cases: Sequence[Ellipses]) -> bytes:
    """One row for each case: the columns of W, and posteriors as ellipses of one deviation."""
    figure, axes = plots((7.0, 3.2 * len(cases)), len(cases), 2)
    reach = 1.2 * max(float(np.abs(case.weights).max()) for case in cases)
    covariances = [c for case in cases for c in case.covariances.values()]
    deviation = max(float(c.diagonal().max()) for c in covariances) ** 0.5
    for (left, right), case in zip(axes, cases, strict=True):
        _arrows(left, case.weights, BLUE)
        _square(left, reach)
        left.set(title=f"weights, {case.title}", xlabel="$x_1$", ylabel="$x_2$")
        for (name, covariance), colour in zip(case.covariances.items(), (BLUE, RED), strict=False):
            style = "-" if colour == BLUE else "--"
            right.plot(*_ellipse(covariance), style, color=colour, label=name, linewidth=1.6)
        _square(right, 1.5 * deviation)
        right.set(title=f"posterior, {case.title}", xlabel="$z_1$", ylabel="$z_2$")
        right.legend(frameon=False, fontsize=8, loc="upper right")
    return to_png(figure)


def clouds(cases: Sequence[Cloud], *, reach: float) -> bytes:
    """Points with the true columns in blue, and the found ones with their paths in red.

    Arrows and paths are drawn three times as long as they are.
    """
    figure, (axes,) = plots((3.7 * len(cases), 3.9), 1, len(cases))
    for axis, case in zip(axes, cases, strict=True):
        axis.plot(*case.points.T, ".", color=GREY, markersize=2.5, alpha=0.6)
        _arrows(axis, 3 * case.truth, BLUE)
        if case.path is not None:
            for k in range(case.truth.shape[1]):
                axis.plot(*(3 * case.path[:, :, k].T), color=RED, linewidth=1, alpha=0.6)
        if case.found is not None:
            _arrows(axis, 3 * case.found, RED)
        _square(axis, reach)
        axis.set_title(case.title, fontsize=10)
    return to_png(figure)


def _arrows(axis: Axes, columns: Array, colour: str) -> None:
    longest = np.abs(columns).max()
    for x, y in columns[:, np.abs(columns).max(axis=0) > 0.02 * longest].T:  # but for tiny ones
        style = {"arrowstyle": "-|>", "color": colour, "linewidth": 1.8, "shrinkA": 0, "shrinkB": 0}
        axis.annotate("", (x, y), (0, 0), arrowprops=style)


def _ellipse(covariance: Array) -> Array:
    angle = np.linspace(0, 2 * np.pi, 200)
    return np.linalg.cholesky(covariance) @ np.stack([np.cos(angle), np.sin(angle)])


def _square(axis: Axes, reach: float) -> None:
    axis.set(xlim=(-reach, reach), ylim=(-reach, reach))
    axis.set_aspect("equal")
    axis.tick_params(labelsize=8)
