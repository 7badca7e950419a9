"""Which images of a data set a page holds: points, examples, and lines of factors through them."""

from dataclasses import dataclass

import numpy as np

from gordium.datasets import Dataset
from gordium.factors import Integers

WHOLE = 1500  # images of a grid that is stored whole
EXAMPLES = 12
LEAST_EXAMPLES = 8
LONGEST = 40  # values of a factor on a line


@dataclass(frozen=True)
class Stored:
    """`points` and `kept` are indices of the data set; the others are places in `kept`.

    `kept` are shown large: examples, and all images of `lines` (examples, factors, values; -1
    where a line is shorter), whose factor values are `stops`. A grid that is stored `whole` is
    `kept` in its own order.
    """

    points: Integers
    kept: Integers
    examples: Integers
    lines: list[list[list[int]]]
    stops: list[list[int]]
    whole: bool


def choose(dataset: Dataset, *, n_points: int, seed: int) -> Stored:
    """Choose at most `n_points` points, and as many examples as make `WHOLE` images with lines."""
    rng = np.random.default_rng(seed)
    n = len(dataset)
    points = rng.permutation(n)[:n_points] if n <= 10**6 else _few_of_many(n, n_points, rng)
    if not dataset.is_grid:
        examples = points[:EXAMPLES]
        return Stored(points, examples, np.arange(len(examples)), [], [], False)
    stops = [_stops(factor.size) for factor in dataset.factors]
    if n <= WHOLE and all(len(s) == f.size for s, f in zip(stops, dataset.factors, strict=True)):
        return Stored(points, np.arange(n), points[:EXAMPLES], [], stops, True)
    fits = WHOLE // sum(map(len, stops))
    examples = points[: int(np.clip(fits, LEAST_EXAMPLES, EXAMPLES))]
    return _with_lines(dataset, points, examples, stops)


def _with_lines(
    dataset: Dataset, points: Integers, examples: Integers, stops: list[list[int]]
) -> Stored:
    rows = []
    for values in dataset.factors_at(examples):
        for k, along in enumerate(stops):
            line = np.repeat(values[None], len(along), axis=0)
            line[:, k] = along
            rows.append(dataset.index_of(line))
    kept, places = np.unique(np.concatenate([examples, *rows]), return_inverse=True)
    parts = np.split(places, np.cumsum([len(examples), *map(len, rows)])[:-1])
    found = [part.tolist() for part in parts[1:]]
    k = len(stops)
    lines = [found[i * k : (i + 1) * k] for i in range(len(examples))]
    return Stored(points, kept, parts[0], lines, stops, False)


def _stops(size: int) -> list[int]:
    """All values of a factor, or 40 of them, with the first and the last."""
    if size <= LONGEST:
        return list(range(size))
    return np.unique(np.linspace(0, size - 1, LONGEST).round().astype(int)).tolist()


def _few_of_many(n: int, n_points: int, rng: np.random.Generator) -> Integers:
    found = np.unique(rng.integers(n, size=2 * n_points))
    return rng.permutation(found)[:n_points]
