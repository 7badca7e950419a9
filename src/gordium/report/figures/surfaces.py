"""Surfaces in three dimensions: closed ones by their radius, and sheets with lines on them."""

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

from gordium.arrays import Floats
from gordium.report.figures.images import to_png

FIRST, SECOND = "#c8483c", "#2450a8"
TITLES = ("a cloud and its PCA plane", "a bent sheet", "the same, locally perturbed")

Radius = Callable[[Floats], Floats]  # of unit vectors (n, 3)


def surfaces(shown: Mapping[str, Radius], *, n_columns: int, resolution: int = 61) -> bytes:
    """Titled surfaces side by side; the first axis points up."""
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


def sheets(cloud: Floats, panels: Sequence[tuple[Floats, Sequence[Sequence[Floats]]]]) -> bytes:
    """A point cloud (n, 3) with its PCA plane, and two surfaces (m, m, 3) with lines on them.

    Each surface has two lists of lines: of the first and of the second component.
    """
    figure = Figure(figsize=(12.5, 4.2))
    figure.subplots_adjust(left=0, right=1, bottom=0.02, top=0.9, wspace=0.02)
    axes = [
        figure.add_subplot(1, 3, i + 1, projection="3d", computed_zorder=False) for i in range(3)
    ]
    _plane(axes[0], cloud)
    for axis, (surface, lines) in zip(axes[1:], panels, strict=True):
        axis.plot_surface(
            *np.moveaxis(surface, 2, 0), color="#9dbcd8", alpha=0.9, rstride=2, cstride=2, zorder=1
        )
        for group, colour in zip(lines, (FIRST, SECOND), strict=True):
            for line in group:
                axis.plot(*np.add(line, (0, 0, 0.02)).T, color=colour, linewidth=1.8, zorder=2)
    for axis, title in zip(axes, TITLES, strict=True):
        axis.set_title(title, fontsize=11)
        axis.view_init(elev=50, azim=-65)
        axis.set_box_aspect((1.2, 1, 0.6), zoom=1.15)
        axis.set_zlim(-0.8, 0.8)
        for side in (axis.xaxis, axis.yaxis, axis.zaxis):
            side.set_ticklabels([])
    axes[0].set(xlim=(-1.9, 1.9), ylim=(-1.6, 1.6), zlim=(-1, 1))
    for y, colour, name in ((0.08, FIRST, "first component"), (0.03, SECOND, "second component")):
        figure.text(0.01, y, name, color=colour, fontsize=10)
    return _fewer_colours(to_png(figure))


def _fewer_colours(png: bytes) -> bytes:
    """The picture with 96 colours, which look the same and take a fraction of the bytes."""
    buffer = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").quantize(96).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _plane(axis: Any, cloud: Floats) -> None:
    mean = cloud.mean(axis=0)
    _, lengths, directions = np.linalg.svd(cloud - mean, full_matrices=False)
    spread = 2 * (lengths / np.sqrt(len(cloud)))[:2, None] * directions[:2]
    a, b = np.meshgrid([-1.0, 1.0], [-1.0, 1.0])
    corners = mean + a[..., None] * spread[0] + b[..., None] * spread[1]
    height = (cloud - mean) @ directions[2] * np.sign(directions[2, 2])
    below, above = cloud[height < 0], cloud[height >= 0]
    axis.scatter(*below.T, s=5, color="#555555", zorder=0)
    axis.plot_surface(
        *np.moveaxis(corners, 2, 0), color="#9dbcd8", alpha=0.7, shade=False, zorder=1
    )
    for direction, colour in zip(spread, (FIRST, SECOND), strict=True):
        axis.plot(*np.stack([mean - direction, mean + direction]).T, color=colour, zorder=2)
    axis.scatter(*above.T, s=5, color="black", zorder=3)
