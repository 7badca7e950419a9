"""Figures of the theorems."""

from collections.abc import Mapping, Sequence

import numpy as np

from gordium.arrays import Floats
from gordium.report.figures.charts import strip_frame
from gordium.report.figures.images import plot, plots, to_png
from gordium.report.figures.plane import BLUE, GREY, RED


def price_by_angle(
    degrees: Floats, prices: Floats, floor: float, marks: Mapping[str, tuple[float, float]]
) -> bytes:
    """The least stochastic loss over the angle of a rotation, with some angles marked."""
    figure, axis = plot((5.6, 3.4))
    axis.plot(degrees, prices, color=BLUE)
    axis.axhline(floor, color=GREY, linestyle="--", linewidth=1)
    axis.annotate(
        f"orthogonal columns: {floor:.2f}",
        (degrees[-1], floor),
        xytext=(0, -4),
        textcoords="offset points",
        ha="right",
        va="top",
        color=GREY,
    )
    for label, (x, y) in marks.items():
        axis.plot(x, y, "o", color=RED)
        below = y < 1.5 * floor  # the words would lie on the curve's trough
        axis.annotate(
            f"{label}: {y:.2f}",
            (x, y),
            xytext=(0, -22 if below else 8),
            textcoords="offset points",
            ha="center",
        )
    axis.set_ylim(0, 1.18 * prices.max())
    axis.set(xlabel="rotation of the latent space (degrees)", ylabel="least E|Mε|² at C = 0")
    return to_png(figure)


def descents(gaps: Sequence[Floats], cosines: Sequence[tuple[float, float]]) -> bytes:
    """Distance to the bound over steps, one line for each start; cosines before and after."""
    figure, ((left, right),) = plots((8.0, 3.4), 1, 2, width_ratios=(3, 2))
    for gap in gaps:
        left.plot(np.arange(len(gap)), np.maximum(gap, 1e-14), color=BLUE, alpha=0.4, linewidth=0.8)
    label = "objective (18) − bound (S40)"
    left.set(yscale="log", xlabel="step of gradient descent", ylabel=label)
    before, after = np.array(cosines).T
    for x, values, colour in ((0, before, GREY), (1, after, BLUE)):
        spread = x + np.linspace(-0.15, 0.15, len(values))
        right.plot(spread, np.maximum(values, 1e-14), "o", color=colour, markersize=3)
    right.set_xticks([0, 1], ["start", "end"])
    right.set(yscale="log", xlim=(-0.5, 1.5), ylabel="largest |cos| between columns")
    return to_png(strip_frame(figure))


def objectives_by_angle(
    degrees: Floats, lines: Mapping[str, Floats], *, label: str, title: str
) -> bytes:
    """Several objectives over the angle of a rotation."""
    figure, axis = plot((5.8, 3.6))
    styles = ((GREY, "-", 3.0), (BLUE, "--", 1.8), (RED, "-", 1.8))
    for (name, values), (colour, style, width) in zip(lines.items(), styles, strict=False):
        axis.plot(degrees, values, style, color=colour, linewidth=width, label=name)
    axis.set_title(title, fontsize=10)
    axis.legend(frameon=False, fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.08), ncols=3)
    axis.set(xlabel="rotation of the latent space (degrees)", ylabel=label)
    return to_png(figure)
