"""Figures of a run for notebooks: its history, and traversals of its units."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from matplotlib.figure import Figure

from gordium.geometry import jacobian, traversals
from gordium.history import Row

if TYPE_CHECKING:
    from gordium.training.runs import Run

REACH, STEPS = 2.0, 9
COLUMNS = 3


def plot_history(run: "Run") -> Figure:
    """Plot each column of the history against the step, in a panel of its own."""
    if not run.history:
        raise ValueError("this run has no history: it was trained without records.")
    names = [name for name in run.history[-1] if name != "step"]
    lines = -(-len(names) // COLUMNS)
    figure = Figure(figsize=(4 * min(COLUMNS, len(names)), 2.6 * lines), layout="constrained")
    for place, name in enumerate(names, 1):
        axes = figure.add_subplot(lines, min(COLUMNS, len(names)), place)
        axes.plot(*_column(run.history, name), color="#0f6f73")
        axes.set(title=name.replace("_", " "), xlabel="step")
    return figure


def plot_traversals(run: "Run", units: Sequence[int] | None = None) -> Figure:
    """Draw a row of images for each unit, which moves from -2 to 2 while the others are 0.

    Without `units`, all are drawn; those come first whose small steps change the image most.
    """
    if run.spec.dataset.image_shape[1:] == (1, 1):
        raise ValueError("traversals are pictures; this run was trained on vectors.")
    model = run.model
    device = next(model.parameters()).device
    start = torch.zeros(model.latent_dim, device=device)
    chosen = _order_units(run, start) if units is None else list(units)
    images = traversals(model.decode, start, np.linspace(-REACH, REACH, STEPS), units=chosen)
    figure = Figure(figsize=(STEPS * 0.8, len(chosen) * 0.85), layout="constrained")
    grid = figure.subplots(len(chosen), STEPS, squeeze=False)
    for axes, picture in zip(grid.flat, images.reshape(-1, *images.shape[2:]), strict=True):
        shown = np.clip(picture, 0, 1).transpose(1, 2, 0)
        axes.imshow(shown if shown.shape[2] == 3 else shown[..., 0], cmap="gray", vmin=0, vmax=1)
        axes.set(xticks=[], yticks=[])
    for axes, unit in zip(grid[:, 0], chosen, strict=True):
        axes.set_ylabel(f"z{unit}", rotation=0, ha="right", va="center")
    return figure


def _order_units(run: "Run", start: torch.Tensor) -> list[int]:
    columns = jacobian(run.model.decode, start[None])[0].flatten(0, -2)
    return columns.norm(dim=0).argsort(descending=True, stable=True).tolist()


def _column(history: Sequence[Row], name: str) -> tuple[list[float], list[float]]:
    rows = [row for row in history if name in row]
    return [row["step"] for row in rows], [row[name] for row in rows]
