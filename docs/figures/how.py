"""Writes docs/images/how-*.png: a learned change, its waves, and what models do about it.

    python docs/figures/how.py

The change and the models are those of the zoo: repetition 0 of `gordium demo`, seed 0 of each arm.
"""

from pathlib import Path

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import gordium as gd
from gordium.datasets import Dataset, Modified, Noisy
from gordium.files import write_bytes
from gordium.manipulation import Manipulation
from gordium.report.figures.images import show_picture, to_png

IMAGES = Path(__file__).resolve().parents[1] / "images"
HELD = {"wall_hue": 5, "object_hue": 0, "scale": 4, "shape": 0}
HUES, TURNS = 10, 15
SHOWN = (0, 2, 4, 6, 8, 10, 12, 14)  # orientations
EPSILON = 0.175


def pixels(dataset: Dataset) -> np.ndarray:
    """All images in [0, 1], (hue, orientation, pixels)."""
    return dataset.images(np.arange(len(dataset))).reshape(HUES, TURNS, -1) / 255.0


@torch.no_grad()
def read_neuron(change: Manipulation) -> np.ndarray:
    """u, the one number that the change is a function of, at each hue and orientation."""
    grid = np.indices((HUES, TURNS)).reshape(2, -1).T.astype(float)
    standard = (grid - grid.mean(axis=0)) / grid.std(axis=0)
    weight = change.network.neuron.weight.double().numpy()
    return (standard @ weight.T).reshape(HUES, TURNS)


def draw_waves(plain: np.ndarray, changed: np.ndarray, u: np.ndarray) -> bytes:
    """Rows of images, the change along them, and its two strongest parts over both factors."""
    figure = Figure(figsize=(9.6, 6.6), layout="constrained")
    top, bottom = figure.subfigures(2, 1, height_ratios=[1.25, 1])
    axes = top.subplots(3, len(SHOWN))
    change = (changed - plain) / EPSILON
    rows = {"original": plain[6], "change, x 0.175": (change[6] + 1) / 2, "altered": changed[6]}
    for line, (name, row) in zip(axes, rows.items(), strict=True):
        for axis, turn in zip(line, SHOWN, strict=True):
            show_picture(axis, row[turn].reshape(3, 32, 32).transpose(1, 2, 0).clip(0, 1))
        line[0].set_ylabel(name, fontsize=9)
    top.suptitle("one hue, the room turning", fontsize=10)
    flat = change.reshape(HUES * TURNS, -1)
    left, sizes, _ = np.linalg.svd(flat - flat.mean(axis=0), full_matrices=False)
    shares = sizes**2 / (sizes**2).sum()
    maps = bottom.subplots(1, 3, width_ratios=[1, 1, 1.3])
    for k, axis in enumerate(maps[:2]):
        part = left[:, k].reshape(HUES, TURNS)
        reach = np.abs(part).max()
        axis.imshow(part, cmap="RdBu_r", vmin=-reach, vmax=reach, aspect="auto")
        axis.contour(u, levels=9, colors="black", linewidths=0.5)
        axis.set(xlabel="orientation", ylabel="floor hue")
        axis.set_title(f"part {k + 1}: {shares[k]:.0%} of the change", fontsize=9)
        order = np.argsort(u.ravel())
        maps[2].plot(
            u.ravel()[order], part.ravel()[order], ".", markersize=4, label=f"part {k + 1}"
        )
    maps[2].set(xlabel="u, the one number that the change depends on", yticks=[])
    maps[2].set_title("the same parts over u", fontsize=9)
    maps[2].legend(frameon=False, fontsize=8)
    maps[2].spines[["top", "right"]].set_visible(False)
    return to_png(figure)


def draw_codes(arms: dict[str, Dataset]) -> bytes:
    """The mean local variance of each arm, and the codes of a model that was trained on it."""
    figure = Figure(figsize=(9.6, 8.4), layout="constrained")
    axes = figure.subplots(3, len(arms))
    for (ellipse, by_hue, by_turn), (name, dataset) in zip(axes.T, arms.items(), strict=True):
        _draw_ellipse(ellipse, overlap(pixels(dataset)))
        ellipse.set_title(name, fontsize=10)
        rep = gd.encode(gd.zoo.load(f"{name}-0").model, dataset)
        by_hue.scatter(*rep.codes.T, c=rep.factors[:, 0], cmap="hsv", s=9)
        by_turn.scatter(*rep.codes.T, c=rep.factors[:, 1], cmap="viridis", s=9)
        for axis in (by_hue, by_turn):
            axis.set(xticks=[], yticks=[], xlabel="unit 1", aspect="equal")
    for axis, text in zip(axes[:, 0], ("along orientation", "unit 2", "unit 2"), strict=True):
        axis.set_ylabel(text)
    for axis, text in zip(
        axes[:, -1], ("local variance", "by floor hue", "by orientation"), strict=True
    ):
        axis.annotate(text, (1.05, 0.5), xycoords="axes fraction", rotation=270, va="center")
    return to_png(figure)


def overlap(images: np.ndarray) -> np.ndarray:
    """The mean over all images of J^T J, for J per standard deviation of hue and orientation."""
    by_hue = (np.roll(images, -1, axis=0) - np.roll(images, 1, axis=0)) / 2
    slopes = by_hue * np.arange(HUES).std(), np.gradient(images, axis=1) * np.arange(TURNS).std()
    j = np.stack(slopes, axis=-1)
    return (j.swapaxes(-1, -2) @ j).mean(axis=(0, 1))


def _draw_ellipse(axis: Axes, matrix: np.ndarray) -> None:
    values, vectors = np.linalg.eigh(matrix)
    angles = np.linspace(0, 2 * np.pi, 100)
    circle = np.stack([np.cos(angles), np.sin(angles)])
    axis.plot(*(vectors @ (np.sqrt(values)[:, None] * circle)), color="#3b6ea8")
    for value, way in zip(values, vectors.T, strict=True):
        axis.plot(*np.outer(np.sqrt(value) * way, [-1, 1]), color="#b5452c", linewidth=1.5)
    axis.set(xlim=(-24, 24), ylim=(-24, 24), xlabel="along floor hue", aspect="equal")


if __name__ == "__main__":
    rooms = gd.load_dataset("shapes3d", size=32).hold(**HELD)
    learned = gd.load_manipulation(gd.zoo.get("change"))
    modified, noise = Modified(rooms, learned), Noisy(rooms, EPSILON, seed=14_000)
    waves = draw_waves(pixels(rooms), pixels(modified), read_neuron(learned))
    write_bytes(IMAGES / "how-waves.png", waves)
    codes = draw_codes({"original": rooms, "modified": modified, "noise": noise})
    write_bytes(IMAGES / "how-codes.png", codes)
