"""Discretisation and plug-in mutual information, shared by the metrics built on them."""

import numpy as np
from numpy.typing import NDArray

from gordium.metrics._shared_work import shared

Table = NDArray[np.float64]


@shared
def discretise(codes: NDArray[np.floating], bins: int) -> NDArray[np.int64]:
    """Each column cut into `bins` equal-width bins between its least and greatest value: 0 to
    bins - 1.

    Edges are computed in the dtype of the codes, as the large study does. Bins hold their left
    edge; the greatest value falls in the last bin, and a constant column in one bin.
    """
    edges = (np.histogram_bin_edges(column, bins)[:-1] for column in codes.T)
    columns = [np.digitize(column, edge) - 1 for column, edge in zip(codes.T, edges, strict=True)]
    return np.stack(columns, axis=1)


@shared
def mutual_information(a: NDArray[np.int64], b: NDArray[np.int64]) -> Table:
    """Plug-in estimates in nats between every column of `a` and every column of `b`.

    Both hold integers from 0. The result is (columns of a, columns of b); no bias correction.
    """
    return np.array([[_of_pair(x, y) for y in b.T] for x in a.T])


@shared
def entropy(labels: NDArray[np.int64]) -> Table:
    """Plug-in entropy of each column in nats."""
    return np.array([_of_pair(column, column) for column in labels.T])


def information_gap(shared: Table, labels: NDArray[np.int64]) -> float:
    """The mean over factors of (best - second) / entropy, from the information (codes, factors)."""
    second, best = np.sort(shared, axis=0)[-2:]
    return float(np.mean((best - second) / entropy(labels)))


def _of_pair(x: NDArray[np.int64], y: NDArray[np.int64]) -> float:
    n_x, n_y = int(x.max()) + 1, int(y.max()) + 1
    joint = np.bincount(x * n_y + y, minlength=n_x * n_y).reshape(n_x, n_y) / len(x)
    independent = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    seen = joint > 0
    return float(np.sum(joint[seen] * np.log(joint[seen] / independent[seen])))
