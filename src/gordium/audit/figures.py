"""Pictures of an audit, as PNG: changes of images, a table of pairs, distances of points."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from gordium.arrays import Floats
from gordium.report.figures.images import plot, plots, show_picture, to_png

Pictures = NDArray[Any]


def change_grid(
    names: Sequence[str], points: Sequence[tuple[Pictures, Pictures, Pictures]]
) -> bytes:
    """Draw the image at each point, what its factors change, and its local components.

    Changes are (k, h, w, c) from -1 to 1; 0 is drawn as grey.
    """
    n, k = len(points), len(names)
    figure, axes = plots((1.25 * (k + 1) + 1.2, 2.5 * n + 0.4), 2 * n, k + 1)
    for row, (image, *changes) in enumerate(points):
        for line, kind, shown in zip(
            axes[2 * row :], ("factor", "component"), changes, strict=False
        ):
            show_picture(line[0], image if kind == "factor" else None)
            for axis, change in zip(line[1:], shown, strict=True):
                show_picture(axis, np.clip(0.5 + 0.5 * change, 0, 1))
            line[1].set_ylabel(kind, fontsize=9)
    for axis, title in zip(axes[0], ["image", *names], strict=True):
        axis.set_title(title.replace("_", " "), fontsize=9)
    return to_png(figure)


def pair_matrix(names: Sequence[str], scores: Floats) -> bytes:
    """Draw the scores (k, k) of pairs of factors as a table: 1 is aligned, 0 is chance."""
    k = len(names)
    figure = Figure(figsize=(2.2 + 0.75 * k, 1.2 + 0.62 * k), layout="constrained")
    axis = figure.subplots()
    shown = np.ma.masked_invalid(np.where(np.eye(k, dtype=bool), np.nan, scores))
    picture = axis.imshow(shown, cmap="cividis", vmin=0, vmax=1)
    for i, j in np.argwhere(~np.eye(k, dtype=bool)):
        ink = "black" if scores[i, j] > 0.55 else "white"  # bright and dark ends of the colours
        axis.text(j, i, f"{scores[i, j]:.2f}", ha="center", va="center", fontsize=11, color=ink)
    labels = [name.replace("_", " ") for name in names]
    axis.set_xticks(range(k), labels, rotation=35, ha="right", fontsize=9)
    axis.set_yticks(range(k), labels, fontsize=9)
    axis.spines[:].set_visible(False)
    figure.colorbar(picture, ax=axis, shrink=0.8)
    return to_png(figure)


def distance_histogram(distances: Floats, chance: float) -> bytes:
    """Draw how many points lie at which distance, with the distance of chance as a line."""
    figure, axis = plot((5.6, 2.6))
    largest = max(float(distances.max()), 1.15 * chance)
    axis.hist(distances, bins=np.linspace(0, largest, 41).tolist(), color="#3b6ea8")
    axis.axvline(chance, color="black", linestyle="--", linewidth=1)
    axis.annotate(
        "chance",
        (chance, 0.97),
        xycoords=("data", "axes fraction"),
        ha="right",
        va="top",
        xytext=(-4, 0),
        textcoords="offset points",
    )
    axis.set(xlabel="distance of the local principal directions from the factors", ylabel="points")
    return to_png(figure)
