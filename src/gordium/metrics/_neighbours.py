"""Mutual information of real numbers by nearest neighbours (Kraskov et al. 2004, Eq. 8)."""

import numpy as np
from numpy.typing import NDArray

from gordium.metrics._correlation import standardise
from gordium.metrics._shared_work import share_result

Table = NDArray[np.float64]

NEIGHBOURS = 3


@share_result
def neighbour_information(codes: NDArray[np.floating], reals: Table) -> Table:
    """(columns of codes, columns of reals) in nats, at least 0.

    psi(N) + psi(k) - <psi(n_x) + psi(n_y)>: with the distance to the k-th neighbour of a row, n_x
    and n_y count the rows nearer than that in one coordinate, itself included. Where k rows or
    more coincide with it, k is how many (Gao et al. 2017). A code of one value tells nothing.
    """
    x, y = standardise(codes.astype(np.float64)), standardise(reals)
    return np.array([[_of_pair(a, b) for b in y.T] for a in x.T])


def _of_pair(x: Table, y: Table) -> float:
    from scipy.spatial import KDTree
    from scipy.special import digamma

    points = np.stack([x, y], axis=1)
    tree = KDTree(points)
    distance = tree.query(points, k=NEIGHBOURS + 1, p=np.inf)[0][:, -1]
    neighbours = np.full(len(x), NEIGHBOURS)
    same = distance == 0
    if same.any():
        neighbours[same] = tree.query_ball_point(points[same], 0, p=np.inf, return_length=True)
    # Nearer than the k-th neighbour: less by more than rounding.
    radius = distance * (1 - 1e-10)
    counted = digamma(_count_within(x, radius)) + digamma(_count_within(y, radius))
    return max(0.0, float(digamma(len(x)) + np.mean(digamma(neighbours) - counted)))


def _count_within(x: Table, radius: Table) -> NDArray[np.int64]:
    """How many values lie no further than its radius from each."""
    ordered = np.sort(x)
    last = np.searchsorted(ordered, x + radius, side="right")
    return last - np.searchsorted(ordered, x - radius, side="left")
