"""Mutual information, plug-in or by nearest neighbours, shared by the metrics built on it."""

import numpy as np
from numpy.typing import NDArray

from gordium.arrays import Floats, Integers
from gordium.metrics._checks import Factors
from gordium.metrics._correlation import standardise
from gordium.metrics._shared_work import share_result

NEIGHBOURS = 3


@share_result
def discretise(codes: NDArray[np.floating], bins: int) -> Integers:
    """Cut each column into equal-width bins, 0 to bins - 1, from its least to greatest value.

    Edges are computed in the dtype of the codes, as the large study does. Bins hold their left
    edge; the greatest value falls in the last bin, and a constant column in one bin.
    """
    edges = (_left_edges(column, bins) for column in codes.T)
    columns = [np.digitize(column, edge) - 1 for column, edge in zip(codes.T, edges, strict=True)]
    return np.stack(columns, axis=1)


def _left_edges(column: NDArray[np.floating], bins: int) -> NDArray[np.floating]:
    """The edges that `numpy.histogram_bin_edges` of NumPy 2 gives, with any version of NumPy.

    NumPy 1 computes the edges of single-precision codes in double precision, which moves codes
    that lie on an edge to another bin: the reference's sines and cosines score 0.7372, not 0.7354.
    """
    low, high = column.min(), column.max()
    if low == high:
        low, high = low - column.dtype.type(0.5), high + column.dtype.type(0.5)
    return np.arange(bins, dtype=column.dtype) * ((high - low) / column.dtype.type(bins)) + low


@share_result
def mutual_information(a: Integers, b: Integers) -> Floats:
    """Plug-in estimates in nats between every column of `a` and every column of `b`.

    Both hold integers from 0. The result is (columns of a, columns of b); no bias correction.
    """
    return np.array([[_of_pair(x, y) for y in b.T] for x in a.T]).reshape(a.shape[1], b.shape[1])


@share_result
def entropy(labels: Integers) -> Floats:
    """Plug-in entropy of each column in nats."""
    return np.array([_of_one(column) for column in labels.T])


def information(codes: NDArray[np.floating], binned: Integers, factors: Factors) -> Floats:
    """Mutual information of codes and factors in nats, (codes, factors).

    For labels it is the plug-in estimate from the binned codes; for real factors it is estimated
    by nearest neighbours from the codes themselves.
    """
    told = mutual_information(binned, factors.labels)
    return factors.merge(told, neighbour_information(codes, factors.reals))


def share_told(nats: Floats, factors: Factors) -> Floats:
    """Information as a share: for a factor with labels, of the factor's entropy.

    For a real factor, whose entropy has no bound, the share is 1 - exp(-2 I): the squared
    informational correlation (Linfoot 1957), which of a Gaussian pair is the squared correlation.
    """
    if not any(factors.is_real):
        return nats / entropy(factors.labels)
    real = np.array(factors.is_real)
    return factors.merge(nats[:, ~real] / entropy(factors.labels), -np.expm1(-2 * nats[:, real]))


def information_gap(nats: Floats, factors: Factors) -> float:
    """The mean over factors of best - second share, from the information (codes, factors)."""
    second, best = np.sort(nats, axis=0)[-2:]
    if not any(factors.is_real):
        return float(np.mean((best - second) / entropy(factors.labels)))
    second, best = share_told(np.stack([second, best]), factors)
    return float(np.mean(best - second))


def _of_one(x: Integers) -> float:
    """I(x; x) term by term, without a table of all pairs of values."""
    counts = np.bincount(x)
    p = counts[counts > 0] / len(x)
    return float(np.sum(p * np.log(p / (p * p))))


def _of_pair(x: Integers, y: Integers) -> float:
    n_x, n_y = int(x.max()) + 1, int(y.max()) + 1
    joint = np.bincount(x * n_y + y, minlength=n_x * n_y).reshape(n_x, n_y) / len(x)
    independent = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    seen = joint > 0
    return float(np.sum(joint[seen] * np.log(joint[seen] / independent[seen])))


@share_result
def neighbour_information(codes: NDArray[np.floating], reals: Floats) -> Floats:
    """(columns of codes, columns of reals) in nats, at least 0 (Kraskov et al. 2004, Eq. 8).

    psi(N) + psi(k) - <psi(n_x) + psi(n_y)>: n_x and n_y count the rows that are nearer to a row in
    one coordinate than its k-th neighbour is in both, itself included. Where k rows or more
    coincide with it, k is their number (Gao et al. 2017). A code of one value tells nothing.
    """
    x, y = standardise(codes.astype(np.float64)), standardise(reals)
    return np.array([[_by_neighbours(a, b) for b in y.T] for a in x.T])


def _by_neighbours(x: Floats, y: Floats) -> float:
    from scipy.spatial import KDTree
    from scipy.special import digamma

    points = np.stack([x, y], axis=1)
    tree = KDTree(points)
    distance = tree.query(points, k=NEIGHBOURS + 1, p=np.inf)[0][:, -1]
    neighbours = np.full(len(x), NEIGHBOURS)
    same = distance == 0
    if same.any():
        neighbours[same] = tree.query_ball_point(points[same], 0, p=np.inf, return_length=True)
    # Nearer than the k-th neighbour by more than rounding.
    radius = distance * (1 - 1e-10)
    counted = digamma(_count_within(x, radius)) + digamma(_count_within(y, radius))
    return max(0.0, float(digamma(len(x)) + np.mean(digamma(neighbours) - counted)))


def _count_within(x: Floats, radius: Floats) -> Integers:
    """How many values lie within the radius of each value."""
    ordered = np.sort(x)
    last = np.searchsorted(ordered, x + radius, side="right")
    return last - np.searchsorted(ordered, x - radius, side="left")
