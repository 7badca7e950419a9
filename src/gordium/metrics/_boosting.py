"""Gradient boosted trees of depth three for one factor with many classes.

The model of Friedman 2001: multinomial log-loss, one tree per class and round, one Newton step
per leaf, splits by squared error of the residuals.
"""

import os
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gordium.metrics._arrays import check_memory

Ranks = NDArray[np.uint16]
Floats = NDArray[np.float32]
Labels = NDArray[np.int64]

MAX_RANKS = 65536  # distinct values of a code that are told apart
N_ORDERS = 4096


class Booster(NamedTuple):
    """Trees as (round, class, node): the code that is cut, the last rank that goes left, leaves.

    `read` makes predictions of what the trees add to `start`, a row for each class.
    """

    code: NDArray[np.int16]
    last_left: NDArray[np.uint16]
    value: Floats
    start: Floats
    importance: NDArray[np.float64]
    fitted: NDArray[Any]
    read: Callable[[Floats], NDArray[Any]]

    def predict(self, ranks: Ranks) -> NDArray[Any]:
        """The most probable class, or the value, of each column of `ranks`."""
        from gordium.metrics._boosting_kernels import sum_of_trees

        trees = self.code, self.last_left, self.value, self.start
        return self.read(sum_of_trees(ranks, *trees))


def cut_points(
    codes: NDArray[np.floating], max_ranks: int = MAX_RANKS
) -> list[NDArray[np.float64]]:
    """Per code, the midpoints between its values, or quantiles if it has too many values."""
    return [_cuts(column, max_ranks) for column in codes.T.astype(np.float64)]


def _cuts(column: NDArray[np.float64], max_ranks: int) -> NDArray[np.float64]:
    distinct = np.unique(column)
    if len(distinct) > max_ranks:
        return np.unique(np.quantile(column, np.linspace(0, 1, max_ranks + 1)[1:-1]))
    return (distinct[1:] + distinct[:-1]) / 2


def to_ranks(codes: NDArray[np.floating], cuts: list[NDArray[np.float64]]) -> Ranks:
    """(n_codes, n_samples): between which cuts a value lies; on a cut it belongs to the left."""
    columns = zip(codes.T.astype(np.float64), cuts, strict=True)
    return np.stack([np.searchsorted(cut, column) for column, cut in columns]).astype(np.uint16)


def boost(
    ranks: Ranks, labels: Labels, *, seed: int, rounds: int = 100, rate: float = 0.1
) -> Booster:
    """Fit one booster to labels from 0. `seed` decides between codes that split equally well."""
    counts = np.bincount(labels)
    check_memory(len(counts), len(labels), 2 * len(ranks) + 9)
    two = len(counts) == 2  # they share one tree, which scores the second
    prior = np.log(counts[1:] / counts[:1]) if two else np.log(counts / len(labels))
    targets = (np.arange(len(counts))[int(two) :, None] == labels).astype(np.uint8)
    step = rate if two else rate * (len(counts) - 1) / len(counts)
    return _boost(ranks, targets, prior, (rounds, step, False), seed, _pick_class)


def boost_real(
    ranks: Ranks, values: NDArray[np.float64], *, seed: int, rounds: int = 100, rate: float = 0.1
) -> Booster:
    """Fit one booster to real numbers by squared error."""
    centre = float(values.mean())
    # Residuals stay within the unit that the kernels count in, with room to spare.
    scale = 4 * float(np.abs(values - centre).max()) or 1.0
    target = ((values - centre) / scale).astype(np.float32)

    def read(scores: Floats) -> NDArray[np.float64]:
        return centre + scale * scores[0].astype(np.float64)

    return _boost(ranks, target[None], np.zeros(1), (rounds, rate, True), seed, read)


def _boost(
    ranks: Ranks,
    targets: NDArray[Any],
    start: NDArray[np.float64],
    schedule: tuple[int, float, bool],
    seed: int,
    read: Callable[[Floats], NDArray[Any]],
) -> Booster:
    from gordium.metrics._boosting_kernels import boost_rounds

    first, orders = start.astype(np.float32), draw_orders(len(ranks), seed)
    code, last_left, value, importance, scores = boost_rounds(
        ranks, targets, first, orders, schedule
    )
    return Booster(code, last_left, value, first, importance, read(scores), read)


def draw_orders(n_codes: int, seed: int, most: int = N_ORDERS) -> NDArray[np.int16]:
    """Random orders of the codes: the first of those that split equally well is taken."""
    codes = np.tile(np.arange(n_codes, dtype=np.int16), (min(most, N_ORDERS), 1))
    return np.random.default_rng(seed).permuted(codes, axis=1)


def n_threads() -> int:
    """How many threads to use: OMP_NUM_THREADS if it is set, else one for each processor."""
    given = os.environ.get("OMP_NUM_THREADS", "")
    return max(1, int(given)) if given.isdecimal() else os.cpu_count() or 1


def _pick_class(scores: Floats) -> Labels:
    return (scores[0] > 0).astype(np.int64) if len(scores) == 1 else scores.argmax(axis=0)
