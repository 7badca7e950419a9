"""Surfaces in three dimensions given by their radius in each direction, as PNG."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from gordium.report.figures.images import to_png

Array = NDArray[Any]
Radius = Callable[[Array], Array]  # of unit vectors (n, 3)


def surfaces(shown: Mapping[str, Radius], *, n_columns: int, resolution: int = 61) -> bytes:
    """One titled surface each; the first axis points up."""
    n_rows = -(-len(shown) // n_columns)
    figure = Figure(figsize=(2.7 * n_columns, 2.7 * n_rows), layout="constrained")
    polar = np.linspace(0, np.pi, resolution)[:, None]
    around = np.linspace(0, 2 * np.pi, 2 * resolution - 1)[None]
    up = np.cos(polar) * np.ones_like(around)
    unit = np.stack([up, np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around)], axis=-1)
    for place, (title, radius) in enumerate(shown.items(), start=1):
        axis: Any = figure.add_subplot(n_rows, n_columns, place, projection="3d")
        points = unit * radius(unit.reshape(-1, 3)).reshape(unit.shape[:2])[..., None]
        z1, z2, z3 = np.moveaxis(points, -1, 0)
        style = {"color": "#7fa7d1", "linewidth": 0, "antialiased": False}
        axis.plot_surface(z2, z3, z1, rstride=1, cstride=1, **style)
        axis.set(xlim=(-1, 1), ylim=(-1, 1), zlim=(-1, 1), xticks=[], yticks=[], zticks=[])
        axis.set_xlabel("$z_2$", labelpad=-14)
        axis.set_ylabel("$z_3$", labelpad=-14)
        axis.set_zlabel("$z_1$", labelpad=-14)
        axis.set_box_aspect((1, 1, 1))
        axis.view_init(elev=22, azim=-52)
        axis.set_title(title, fontsize=10, pad=-2)
    return to_png(figure)
