"""Published means beside ours: data sets as panels, methods as groups, variants as colours."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gordium.report.figures.charts import PALETTE, legend, strip_frame
from gordium.report.figures.images import COLOURS, plots, to_png
from gordium.report.names import sort_names

_STEP = 0.24


class Pair(NamedTuple):
    """Our mean with its interval, and the published mean and deviation; NaN where there is none."""

    mean: float
    low: float
    high: float
    published: float = np.nan
    deviation: float = np.nan


def draw_beside(panels: Mapping[str, Mapping[tuple[str, str], Pair]], *, label: str) -> bytes:
    """Cells by (method, variant): ours as dots with intervals, published as open diamonds.

    Thin lines at the diamonds reach one published standard deviation up and down.
    """
    figure, axes = plots((8.0, 3.2 * len(panels)), len(panels), 1, sharey=True)
    for axis, (title, cells) in zip(axes[:, 0], panels.items(), strict=True):
        methods = sort_names(method for method, _ in cells)
        variants = sort_names(variant for _, variant in cells)
        for i, variant in enumerate(variants):
            there = [m for m in methods if (m, variant) in cells]
            places = np.array([methods.index(m) for m in there]) + _offset(i, variants)
            found = [cells[m, variant] for m in there]
            colour = COLOURS.get(variant, PALETTE[i])
            mean, low, high, theirs, deviation = np.array(found, dtype=np.float64).T
            axis.vlines(places, low, high, color=colour, linewidth=2)
            axis.plot(places, mean, "o", color=colour, markersize=5, label=f"{variant}, here")
            axis.errorbar(
                places + 0.08, theirs, np.nan_to_num(deviation), fmt="D", color=colour,
                markersize=5, fillstyle="none", elinewidth=0.8, label=f"{variant}, published",
            )  # fmt: skip
        axis.set_xticks(range(len(methods)), methods, rotation=20, ha="right", fontsize=10)
        axis.set_title(title, fontsize=11)
        axis.grid(axis="y", alpha=0.3)
        axis.set_ylabel(label)
    legend(figure, axes[-1, 0], 2)
    return to_png(strip_frame(figure))


def _offset(i: int, variants: Sequence[str]) -> float:
    return _STEP * (i - (len(variants) - 1) / 2)
