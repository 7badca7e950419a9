"""Figure 3 of Burgess et al. 2018: which factor gets capacity first."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from gordium.datasets import load_dataset
from gordium.exhibits.base import Exhibit, Made, Place
from gordium.exhibits.burgess2018 import claims
from gordium.exhibits.burgess2018.factor_channels import Channels, train_channels
from gordium.exhibits.runs import make_all
from gordium.methods import AnnealedVAE
from gordium.networks import Convolutional, Mlp
from gordium.report.figures import charts
from gordium.report.figures import images as figures
from gordium.spec import declaration_hash
from gordium.study.pictures import originals
from gordium.study.tasks import Piece
from gordium.training import Report
from gordium.training.folder import Row as History

# Capacities in nats at which the paper shows reconstructions, and the factor that is in them then.
MARKS = {3.1: "position", 7.3: "scale", 15.4: "shape", 23.8: "orientation"}
THERE = 0.5  # nats from which a channel counts as used
CAPACITY = 25.0


def choose_channels(scale: str) -> Channels:
    """Channels at a scale; the paper prints gamma 1000, 25 nats and 100,000 steps, no decoder."""
    sizes: dict[str, tuple[int, int, Convolutional | Mlp, float]] = {
        "smoke": (16, 20, Mlp((16,), (16,)), 100.0),
        "laptop": (32, 10_000, Convolutional(width=0.5), 100.0),
        "paper": (64, 100_000, Convolutional(), 1000.0),
    }
    size, steps, network, gamma = sizes[scale]
    dataset = load_dataset("dsprites", size=size)
    if scale == "smoke":
        dataset = dataset.hold(x=16, y=16)
    method = AnnealedVAE(gamma=gamma, capacity=CAPACITY, warmup_steps=steps)
    shown = np.random.default_rng(1).choice(len(dataset), size=8, replace=False).tolist()
    return Channels(dataset, method, network, tuple(MARKS), tuple(shown))


def make(place: Place) -> Made:
    """Train the channels and show the KL of each factor as the capacity rises."""
    channels = choose_channels(place.scale)
    key = declaration_hash(channels.declaration)
    piece = Piece(key, "factor channels", partial(_train, place.scale))
    [folder] = make_all(place, [piece], title="Figure 3")
    history, seen = train_channels(channels, folder)
    names = [factor.name for factor in channels.dataset.factors]
    rows = [_row(row, names, channels) for row in history]
    shown = {"images": originals(channels.dataset, channels.shown)}
    shown |= {f"{m:g} nats": list(some) for m, some in zip(MARKS, seen, strict=True)}
    pictures = {
        "capacity.png": charts.lines(*_curves(rows, names, "capacity"), "capacity C, nats"),
        "reconstruction.png": charts.lines(*_curves(rows, names, "reconstruction"), "loss, nats"),
        "reconstructions.png": figures.image_grid(shown, zoom=0.7),
    }
    head = ("capacity", "published: reconstructed from here", *(f"KL of {n}" for n in names), "sum")
    table = [_line(mark, rows, names) for mark in MARKS]
    return Made(head, table, rows, pictures, [_note(channels)])


def _train(scale: str, folder: Path, *, report: Report | None = None) -> None:
    train_channels(choose_channels(scale), folder, report=report)


def _row(row: History, names: Sequence[str], channels: Channels) -> History:
    window = max(1, channels.method.warmup_steps // 200)
    middle = row["step"] - (window + 1) / 2  # a row is the mean of its window
    return {
        "step": row["step"],
        "capacity": CAPACITY * max(0.0, middle) / channels.method.warmup_steps,
        "kl": row["kl"],
        "reconstruction": row["reconstruction"],
        **{f"kl_{name}": row[f"kl_{i}"] for i, name in enumerate(names)},
    }


def _line(mark: float, rows: Sequence[History], names: Sequence[str]) -> tuple[str, ...]:
    row = min(rows, key=lambda row: abs(row["capacity"] - mark))
    units = [f"{row[f'kl_{name}']:.2f}" for name in names]
    return (f"{mark:g}", MARKS[mark], *units, f"{row['kl']:.2f}")


def _curves(
    rows: Sequence[History], names: Sequence[str], x: str
) -> tuple[list[float], dict[str, list[float]]]:
    return [row[x] for row in rows], {n: [row[f"kl_{n}"] for row in rows] for n in names}


def _note(channels: Channels) -> str:
    method = channels.method
    return (
        f"dSprites at {channels.dataset.image_shape[1]} pixels, free factors "
        + ", ".join(f"{f.name} ({f.size})" for f in channels.dataset.factors)
        + f"; gamma {method.gamma:g}, C from 0 to {CAPACITY:g} nats over {method.warmup_steps:,} "
        "steps (published: gamma 1000, 100,000 steps). Each factor has one channel: a learned "
        "mean for each of its values and one learned variance; the paper does not print its own. "
        f"A factor gets capacity where its KL comes to stay at {THERE:g} nats or more."
    )


figure3 = Exhibit("Figure 3", "Which factor gets capacity first", make, claims.figure3)
