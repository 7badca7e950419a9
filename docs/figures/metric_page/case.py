"""What a case on the page is made of: arrays, a table of scores, a picture."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from gordium.metrics._information import discretise, entropy, mutual_information

Array = NDArray[Any]
Scores = Mapping[str, Mapping[str, float]]  # row, column, number

BLUE, RED, GREY = "#3b6ea8", "#c8483c", "#7a7a7a"
COLOURS = (BLUE, RED, "#d9a441", "#5a9367", "#8465a8", "#59a9b8", "#b0708a", "#55595e")


class Case(NamedTuple):
    """The scores of several sets of codes, and a drawing of the codes."""

    scores: Scores
    draw: Callable[[Figure], None]
    width: float = 7.6
    height: float = 2.5


def grid(sizes: Sequence[int], n: int, seed: int = 0) -> Array:
    """Rows of independent, uniform factors."""
    return np.random.default_rng(seed).integers(sizes, size=(n, len(sizes)))


def standardised(factors: Array, sizes: Sequence[int]) -> Array:
    """Perfect codes: every factor with mean 0 and variance 1."""
    s = np.asarray(sizes)
    return (factors - (s - 1) / 2) / np.sqrt((s**2 - 1) / 12)


def noise(shape: tuple[int, ...], seed: int = 1) -> Array:
    return np.random.default_rng(seed).standard_normal(shape)


def rotation(d: int, seed: int) -> Array:
    """A random orthogonal matrix (Haar measure)."""
    q, r = np.linalg.qr(noise((d, d), seed))
    return q * np.sign(np.diag(r))


def mixing() -> Array:
    """A rotation that leaves no code with more than 4/9 of its variance from one factor."""
    return np.array([[2, -1, 2], [2, 2, -1], [-1, 2, 2]]) / 3


def told(codes: Array, factors: Array, bins: int = 20) -> Array:
    """I(z_j; v_k) / H(v_k), (codes, factors), as `mig` estimates it."""
    return mutual_information(discretise(codes, bins), factors) / entropy(factors)


def heat(axis: Axes, table: Array, title: str, names: tuple[str, str] = ("factor", "code")) -> None:
    """A small table as colours with its numbers; rows are codes, columns factors."""
    axis.imshow(table, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    for (j, k), value in np.ndenumerate(table):
        colour = "white" if value > 0.6 else "#333333"
        text = f"{value:.2f}"
        axis.text(k, j, text, ha="center", va="center", color=colour, fontsize=7)
    axis.set_xticks(range(table.shape[1]))
    axis.set_yticks(range(table.shape[0]))
    axis.tick_params(length=0, labelsize=7)
    label(axis, title, *names)


def label(axis: Axes, title: str, x: str = "", y: str = "") -> None:
    axis.set_title(title, fontsize=8.5)
    axis.set_xlabel(x, fontsize=8)
    axis.set_ylabel(y, fontsize=8)
    axis.tick_params(labelsize=7)
    axis.spines[["top", "right"]].set_visible(False)


def markdown(scores: Scores, first: str = "codes") -> str:
    """The table of the page: three decimals, none for whole numbers."""
    columns = list(next(iter(scores.values())))
    lines = [[first, *columns], ["---"] * (len(columns) + 1)]
    lines += [[row, *(number(of[column]) for column in columns)] for row, of in scores.items()]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def number(value: float) -> str:
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, int | np.integer) or not math.isfinite(value):
        return str(value)
    return f"{value + 0.0:.3f}".replace("-0.000", "0.000")
