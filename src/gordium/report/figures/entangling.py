"""Codes before and after a map that entangles them, their marginals, and their scores."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from gordium.arrays import Floats, Integers
from gordium.report.figures.charts import strip_frame
from gordium.report.figures.images import plots, to_png

MOST = 1000  # points that are drawn
BEFORE, AFTER = "#3b6ea8", "#c8483c"


def draw_entangling(
    before: Floats,
    after: Floats,
    factors: Integers,
    scores: Mapping[str, tuple[float, float]],
    family: Sequence[tuple[float, float]],
) -> bytes:
    """Two codes coloured by the first factor; histograms; scores; MIG over the family's alpha."""
    figure, (axes,) = plots((14, 3.4), 1, 5, width_ratios=[1, 1, 0.8, 1, 0.9])
    for axis, codes, name in ((axes[0], before, "z"), (axes[1], after, "f(z)")):
        x, y = codes[:MOST].T
        axis.scatter(x, y, c=factors[:MOST, 0], s=6, cmap="turbo", linewidths=0)
        axis.set_title(f"{name}, coloured by the first factor", fontsize=10)
        axis.set(xlabel="code 1", ylabel="code 2")
    _histograms(axes[2], before[:, 0], after[:, 0])
    _bars(axes[3], scores)
    alphas, values = zip(*family, strict=True)
    axes[4].axhline(scores["MIG"][0], color=BEFORE, label="before")
    axes[4].plot(alphas, values, "o-", color=AFTER, markersize=4, label="after")
    axes[4].set(ylim=(0, 1), xlabel="alpha of the matrix A", ylabel="MIG, six codes")
    axes[4].legend(frameon=False, fontsize=8)
    return to_png(strip_frame(figure))


def _histograms(axis: Axes, before: Floats, after: Floats) -> None:
    bins = np.linspace(before.min(), before.max(), 21).tolist()
    axis.hist(before, bins=bins, color=BEFORE, alpha=0.4, label="z")
    axis.hist(after, bins=bins, color=AFTER, histtype="step", linewidth=1.5, label="f(z)")
    axis.set_title("values of code 1", fontsize=10)
    axis.set_ylim(0, 1.5 * axis.get_ylim()[1])
    axis.legend(frameon=False, fontsize=8, ncols=2)


def _bars(axis: Axes, scores: Mapping[str, tuple[float, float]]) -> None:
    places = np.arange(len(scores))
    pairs = np.array(list(scores.values()))
    axis.bar(places - 0.2, pairs[:, 0], width=0.38, color=BEFORE, alpha=0.7, label="z")
    axis.bar(places + 0.2, pairs[:, 1], width=0.38, color=AFTER, alpha=0.7, label="f(z)")
    axis.set_xticks(places, [name.replace(" ", "\n") for name in scores], fontsize=8)
    axis.set_ylim(0, 1.15)
    axis.set_title("scores, six codes", fontsize=10)
    axis.legend(frameon=False, fontsize=8, ncols=2)
