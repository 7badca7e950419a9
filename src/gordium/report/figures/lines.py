"""Several curves over one axis, as PNG."""

from collections.abc import Mapping

from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from gordium.report.figures.charts import PALETTE, legend, strip_frame
from gordium.report.figures.images import to_png


def lines(
    x: ArrayLike, curves: Mapping[str, ArrayLike], x_label: str, *, label: str = "KL, nats"
) -> bytes:
    """A named line for each curve."""
    figure = Figure(figsize=(5.6, 3.2), layout="constrained")
    axis = figure.subplots()
    for i, (name, y) in enumerate(curves.items()):
        axis.plot(x, y, color=PALETTE[i % len(PALETTE)], linewidth=1.4, label=name)
    axis.set(xlabel=x_label, ylabel=label)
    legend(figure, axis, len(curves))
    return to_png(strip_frame(figure))
