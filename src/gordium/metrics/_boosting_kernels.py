"""The loops of boosting, compiled. All in one file: the cache of numba sees no other change.

A tree is a heap: nodes 0 to 6, leaves 7 to 14. A node that is not split sends all rows left.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[Any]

N_INNER = 7
LEAST_GAIN = 1e-9  # below it a split separates rounding errors


class Rows(NamedTuple):
    """What the trees of one class are grown from."""

    bins: Array
    n_bins: Array
    counts: Array
    residual: Array


class Space(NamedTuple):
    """Memory that all trees share: sums and counts per node, code and bin; rows by node."""

    sums: Array
    order: Array
    spare: Array


@njit(cache=True)
def boost_rounds(
    ranks: Array, targets: Array, prior: Array, orders: Array, schedule: tuple[int, float]
) -> tuple[Array, Array, Array, Array, Array]:
    """The cut codes, ranks left of the cut, leaves, importance of codes, and fitted scores."""
    (n_trees, n), (rounds, rate) = targets.shape, schedule
    bins, n_bins, counts, last_rank = _boundaries(ranks, targets)
    code = np.full((rounds, n_trees, N_INNER), -1, np.int16)
    last_left = np.zeros((rounds, n_trees, N_INNER), np.int32)
    value = np.zeros((rounds, n_trees, N_INNER + 1), np.float32)
    importance = np.zeros(len(ranks))
    residuals, scores = np.empty((2, n_trees, n), np.float32)
    scores[:] = prior.reshape(-1, 1)
    sums = np.zeros((N_INNER, len(ranks), n_bins.max(), 2), np.float32)
    space = Space(sums, np.empty(n, np.int32), np.empty(n, np.int32))
    for t in range(rounds):
        _residuals(scores, targets, residuals)
        for c in range(n_trees):
            first = (t * n_trees + c) * N_INNER % (len(orders) - N_INNER)
            rows = Rows(bins[c], n_bins[c], counts[c], residuals[c])
            tree = (code[t, c], last_left[t, c])
            starts = _grow(rows, tree, orders[first : first + N_INNER], importance, space)
            _newton(rows.residual, space.order, starts, rate, value[t, c], scores[c])
            for node in range(N_INNER):
                if code[t, c, node] >= 0:
                    last_left[t, c, node] = last_rank[c, code[t, c, node], last_left[t, c, node]]
    return code, last_left, value, importance, scores


@njit(cache=True)
def sum_of_trees(ranks: Array, code: Array, last_left: Array, value: Array, prior: Array) -> Array:
    """(n_trees, n_samples): the score of each class."""
    rounds, n_trees, _ = code.shape
    scores = np.empty((n_trees, ranks.shape[1]), np.float32)
    scores[:] = prior.reshape(-1, 1)
    for c in range(n_trees):
        for t in range(rounds):
            for i in range(ranks.shape[1]):
                node = 0
                while node < N_INNER:
                    j = code[t, c, node]
                    node = 2 * node + 1 + (j >= 0 and ranks[j, i] > last_left[t, c, node])
                scores[c, i] += value[t, c, node - N_INNER]
    return scores


@njit(cache=True)
def _boundaries(ranks: Array, targets: Array) -> tuple[Array, Array, Array, Array]:
    """Per class, neighbouring ranks that are all of the class, or all not, share a bin.

    Were the residuals of such a run equal, no cut inside it could be the best (Fayyad and
    Irani 1992); that they nearly are is the one approximation, and saves most of the time.
    """
    (n_codes, n), n_trees = ranks.shape, len(targets)
    most = np.int64(ranks.max()) + 1
    bins = np.empty((n_trees, n_codes, n), np.uint16)
    n_bins = np.zeros((n_trees, n_codes), np.int64)
    counts = np.zeros((n_trees, n_codes, most), np.int32)
    last_rank = np.zeros((n_trees, n_codes, most), np.uint16)
    for c in range(n_trees):
        for j in range(n_codes):
            bin_of, b = _runs(ranks[j], targets[c]), 0
            for r in range(len(bin_of)):
                b = bin_of[r]
                last_rank[c, j, b] = r
            n_bins[c, j] = b + 1
            for i in range(n):
                bins[c, j, i] = bin_of[ranks[j, i]]
                counts[c, j, bins[c, j, i]] += 1
    return bins, n_bins, counts, last_rank


@njit(cache=True)
def _runs(ranks: Array, target: Array) -> Array:
    """The bin of each rank."""
    n_ranks = np.int64(ranks.max()) + 1
    seen = np.zeros((n_ranks, 2), np.bool_)
    for i in range(len(ranks)):
        seen[ranks[i], np.int64(target[i])] = True
    bin_of = np.zeros(n_ranks, np.int64)
    for r in range(1, n_ranks):
        pure = seen[r, 0] != seen[r, 1]
        alike = seen[r, 0] == seen[r - 1, 0] and seen[r, 1] == seen[r - 1, 1]
        bin_of[r] = bin_of[r - 1] + (not (pure and alike))
    return bin_of


@njit(cache=True, fastmath=True)
def _residuals(scores: Array, targets: Array, out: Array) -> None:
    """Target minus probability."""
    n_trees, n = scores.shape
    top, total = scores[0].copy(), np.zeros(n, np.float32)
    if n_trees == 1:
        top[:] = np.maximum(scores[0], np.float32(0))
        _exp(-top, total)  # the other class has score 0
    for c in range(1, n_trees):
        for i in range(n):
            top[i] = max(top[i], scores[c, i])
    for c in range(n_trees):
        _exp(scores[c] - top, out[c])
        for i in range(n):
            total[i] += out[c, i]
    for c in range(n_trees):
        for i in range(n):
            out[c, i] = targets[c, i] - out[c, i] / total[i]


@njit(cache=True, fastmath=True)
def _exp(x: Array, out: Array) -> None:
    """exp of x <= 0 to 1e-5 as 2^k times a Taylor polynomial: loops that the compiler widens."""
    power = np.empty(len(x), np.float32)
    bits = power.view(np.int32)  # a float32 is 2^k when its exponent bits hold k + 127
    for i in range(len(x)):
        scaled = max(x[i], np.float32(-85)) * np.float32(1.4426950408889634)
        k = np.int32(scaled - np.float32(0.5))
        y = (scaled - np.float32(k)) * np.float32(0.6931471805599453)
        bits[i] = (k + np.int32(127)) << np.int32(23)
        total = np.float32(1 / 720)
        for term in (1 / 120, 1 / 24, 1 / 6, 1 / 2, 1.0, 1.0):
            total = total * y + np.float32(term)
        out[i] = total
    for i in range(len(x)):
        out[i] *= power[i]


@njit(cache=True)
def _grow(
    rows: Rows, tree: tuple[Array, Array], orders: Array, importance: Array, space: Space
) -> Array:
    """Split nodes breadth first. `space.order` ends up by leaf; gives where each leaf starts."""
    code, last_bin = tree
    n = len(space.order)
    bounds = np.zeros((2 * N_INNER + 1, 2), np.int64)
    bounds[0, 1] = n
    space.order[:] = np.arange(n)
    _sum_all(rows, space.sums[0])
    for node in range(N_INNER):
        start, end = bounds[node]
        left, right = 2 * node + 1, 2 * node + 2
        bounds[left], bounds[right] = (start, end), (end, end)
        if end - start < 2 or (node > 0 and code[(node - 1) // 2] < 0):
            continue
        j, b, gain = _best_split(space.sums[node], rows.n_bins, orders[node])
        if gain < LEAST_GAIN:
            continue
        code[node], last_bin[node] = j, b
        importance[j] += gain
        middle = start + _partition(rows.bins[j], b, space.order[start:end], space.spare)
        bounds[left, 1] = bounds[right, 0] = middle
        if right < N_INNER:
            few, many = (left, right) if middle - start <= end - middle else (right, left)
            _sum(rows, space.order[bounds[few, 0] : bounds[few, 1]], space.sums[few])
            _subtract(space.sums[node], space.sums[few], rows.n_bins, space.sums[many])
    starts = np.full(N_INNER + 2, n)
    starts[:-1] = bounds[N_INNER:, 0]
    return starts


@njit(cache=True)
def _sum_all(rows: Rows, out: Array) -> None:
    """As `_sum` for all rows, whose number in each bin never changes.

    Additions to one bin wait for each other, so four quarters of the rows fill four tables.
    """
    quarter = len(rows.residual) // 4
    four = np.empty((4, rows.n_bins.max()), np.float32)
    for j in range(len(rows.bins)):
        column, residual, n_bins = rows.bins[j], rows.residual, rows.n_bins[j]
        four[:, :n_bins] = 0
        for i in range(quarter):
            for part in range(4):
                k = i + part * quarter
                four[part, column[k]] += residual[k]
        for k in range(4 * quarter, len(residual)):
            four[0, column[k]] += residual[k]
        for b in range(n_bins):
            out[j, b, 0] = four[0, b] + four[1, b] + four[2, b] + four[3, b]
            out[j, b, 1] = rows.counts[j, b]


@njit(cache=True)
def _sum(rows: Rows, chosen: Array, out: Array) -> None:
    """Sum of the residuals and number of rows in each bin of each code."""
    for j in range(len(rows.bins)):
        column, table, residual = rows.bins[j], out[j], rows.residual
        table[: rows.n_bins[j]] = 0
        for k in range(len(chosen)):
            i = np.uint32(chosen[k])
            b = column[i]
            table[b, 0] += residual[i]
            table[b, 1] += np.float32(1)


@njit(cache=True)
def _subtract(whole: Array, part: Array, n_bins: Array, out: Array) -> None:
    for j in range(len(n_bins)):
        for b in range(n_bins[j]):
            out[j, b, 0] = whole[j, b, 0] - part[j, b, 0]
            out[j, b, 1] = whole[j, b, 1] - part[j, b, 1]


@njit(cache=True)
def _best_split(sums: Array, n_bins: Array, order: Array) -> tuple[int, int, float]:
    """The code, the last bin to the left, and how much the squared error falls."""
    total, count = 0.0, 0.0
    for b in range(n_bins[0]):
        total += sums[0, b, 0]
        count += sums[0, b, 1]
    best, best_code, best_bin, mean = -1.0, -1, -1, total / count
    for j in order:
        left, n_left = 0.0, 0.0
        for b in range(n_bins[j] - 1):
            if sums[j, b, 1] == 0:
                continue
            left += sums[j, b, 0]
            n_left += sums[j, b, 1]
            if n_left == count:
                break
            excess = left - n_left * mean
            gain = excess * excess * count / (n_left * (count - n_left))
            if gain > best:
                best, best_code, best_bin = gain, j, b
    return best_code, best_bin, best


@njit(cache=True)
def _partition(column: Array, last_left: int, order: Array, spare: Array) -> int:
    """Rows to the left first; gives their number."""
    n_left, n_right = 0, 0
    for i in order:
        right = column[i] > last_left
        spare[n_right] = i  # written twice and kept once: cheaper than a branch
        order[n_left] = i
        n_right += right
        n_left += not right
    order[n_left:] = spare[:n_right]
    return n_left


@njit(cache=True, fastmath=True)
def _newton(
    residual: Array, order: Array, starts: Array, rate: float, value: Array, scores: Array
) -> None:
    """One Newton step in each leaf: sum of r over sum of |r| (1 - |r|)."""
    for leaf in range(N_INNER + 1):
        slope, curvature = 0.0, 0.0
        inside = order[starts[leaf] : starts[leaf + 1]]
        for i in inside:
            r = residual[i]
            slope += r
            curvature += abs(r) * (1 - abs(r))
        if curvature > 1e-30:
            value[leaf] = rate * slope / curvature
        for i in inside:
            scores[i] += value[leaf]
