"""The compiled loops of boosting. They share one file: numba's cache notices no change elsewhere.

A tree is a heap: nodes 0 to 6, leaves 7 to 14. A node that is not split sends all rows left.
Sums over rows are whole numbers, a residual in units of `Scale.unit` above the bits of a count, so
that one addition does for both, no order of rows matters and differences of sums are exact.
Arrays are allocated one by one: numba takes rows that are unpacked from one array for strided, and
then does not vectorise the loops over them.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gordium.numba_cache import compile_cached

Array = NDArray[Any]

N_INNER, DEPTH = 7, 3
LEAST_GAIN = 1e-9  # below it a split separates rounding errors
LEAST_PART = 1e-6  # of a tree's squared error; what gains less is not worth a split
BLOCK = 1024  # rows at a time, so that what is computed of them stays in the processor's cache
ZERO, ZERO_BITS = 1.5 * 2**52, np.int64(0x4338000000000000)  # adding n to the bits adds n to it
TIE = 1 + 1e-12  # codes that split equally well differ by rounding alone


class Scale(NamedTuple):
    """How a residual and a count share a whole number of 64 bits."""

    bits: int
    unit: float


class Rows(NamedTuple):
    """What the trees of one class are grown from: tables of (codes, rows), and residuals."""

    ranks: Array
    bins: Array
    n_bins: Array
    last_rank: Array
    packed: Array
    scale: Scale
    error: float
    least: float


class Tree(NamedTuple):
    """Per node what is cut behind which rank and how much the squared error falls.

    `error` bounds what is left of it at a node, `most_right` tells where most of the rows go.
    """

    code: Array
    last_left: Array
    gain: Array
    error: Array
    most_right: Array


class Space(NamedTuple):
    """Memory that all trees share: sums per node, code and bin; rows of a node; node of a row."""

    sums: Array
    left: Array
    n_left: Array
    chosen: Array
    gathered: Array
    place: Array
    spare: Array


@compile_cached(nogil=True)
def boost_rounds(
    ranks: Array, targets: Array, start: Array, orders: Array, schedule: tuple[int, float, bool]
) -> tuple[Array, Array, Array, Array, Array]:
    """The cut codes, ranks left of the cut, leaves, importance of codes, and fitted scores.

    `targets` say which rows are of each class; or, where `schedule` ends in True, they are one
    row of numbers between -1/4 and 1/4, of which the trees lower the squared error.
    """
    (n_trees, n), (rounds, rate, is_real) = targets.shape, schedule
    bins, n_bins, last_rank = _boundaries(ranks, targets, is_real)
    code = np.full((rounds, n_trees, N_INNER), -1, np.int16)
    last_left = np.zeros((rounds, n_trees, N_INNER), np.uint16)
    value = np.zeros((rounds, n_trees, N_INNER + 1), np.float32)
    importance = np.zeros(len(ranks))
    residuals, scores = np.empty((n_trees, n), np.float32), np.empty((n_trees, n), np.float32)
    scores[:] = start.reshape(-1, 1)
    packed, space = np.empty(n, np.int64), _space(len(ranks), n, n_bins.max())
    gain, errors = np.empty(N_INNER), np.empty(2 * N_INNER + 1)
    scale, most_right = _scale(n), np.empty(N_INNER, np.bool_)
    for t in range(rounds):
        if is_real:
            residuals[:] = targets - scores
        else:
            _residuals(scores, targets, residuals)
        for c in range(n_trees):
            first = (t * n_trees + c) * N_INNER % (len(orders) - N_INNER)
            _pack(residuals[c], scale, packed)
            error = _squared_error(residuals[c])
            least = max(LEAST_GAIN, LEAST_PART * error)
            rows = Rows(ranks, bins[c], n_bins[c], last_rank[c], packed, scale, error, least)
            tree = Tree(code[t, c], last_left[t, c], gain, errors, most_right)
            _grow(rows, tree, orders[first : first + N_INNER], space)
            for node in range(N_INNER):
                importance[tree.code[node]] += gain[node]  # 0 where nothing is cut
            if is_real:
                _mean_leaves(residuals[c], space.place, rate, value[t, c])
            else:
                _newton(residuals[c], space.place, rate, value[t, c])
            _add_leaves(value[t, c], space.place, scores[c])
    return code, last_left, value, importance, scores


@compile_cached()
def _space(n_codes: int, n: int, n_bins: int) -> Space:
    sums = np.empty((N_INNER, n_codes, n_bins), np.int64)
    left, n_left = np.empty(n_bins), np.empty(n_bins)
    chosen, gathered = np.empty(n, np.uint32), np.empty(n, np.int64)
    place, spare = np.empty(n, np.uint16), np.empty(n, np.uint16)
    return Space(sums, left, n_left, chosen, gathered, place, spare)


@compile_cached(nogil=True)
def sum_of_trees(ranks: Array, code: Array, last_left: Array, value: Array, start: Array) -> Array:
    """(n_trees, n_samples): the score of each class."""
    rounds, n_trees, _ = code.shape
    scores = np.empty((n_trees, ranks.shape[1]), np.float32)
    scores[:] = start.reshape(-1, 1)
    place, spare = np.empty(ranks.shape[1], np.uint16), np.empty(ranks.shape[1], np.uint16)
    for c in range(n_trees):
        for t in range(rounds):
            place[:] = 0
            for depth in range(DEPTH):
                _descend(ranks, code[t, c], last_left[t, c], depth, place, spare)
            _add_leaves(value[t, c], place, scores[c])
    return scores


@compile_cached()
def _boundaries(ranks: Array, targets: Array, is_real: bool) -> tuple[Array, Array, Array]:
    """Per class, neighbouring ranks that are all of the class, or all not, share a bin.

    Were the residuals of such a run equal, no cut inside it could be the best (Fayyad and
    Irani 1992); that they nearly are is the one approximation, and saves most of the time.
    Of real targets each rank is a bin.
    """
    (n_codes, n), n_trees = ranks.shape, len(targets)
    bins = np.empty((n_trees, n_codes, n), np.uint16)
    n_bins = np.zeros((n_trees, n_codes), np.int64)
    last_rank = np.zeros((n_trees, n_codes, np.int64(ranks.max()) + 1), np.uint16)
    for c in range(n_trees):
        for j in range(n_codes):
            bin_of, b = _runs(ranks[j], targets[c], is_real), 0
            for r in range(len(bin_of)):
                b = bin_of[r]
                last_rank[c, j, b] = r
            n_bins[c, j] = b + 1
            for i in range(n):
                bins[c, j, i] = bin_of[ranks[j, i]]
    return bins, n_bins, last_rank


@compile_cached()
def _runs(ranks: Array, target: Array, is_real: bool) -> Array:
    """The bin of each rank."""
    n_ranks = np.int64(ranks.max()) + 1
    seen = np.zeros((n_ranks, 2), np.bool_)
    for i in range(len(ranks)):
        seen[ranks[i], np.int64(target[i])] = True
    bin_of = np.zeros(n_ranks, np.int64)
    for r in range(1, n_ranks):
        pure = seen[r, 0] != seen[r, 1]
        alike = seen[r, 0] == seen[r - 1, 0] and seen[r, 1] == seen[r - 1, 1]
        bin_of[r] = bin_of[r - 1] + (is_real or not (pure and alike))
    return bin_of


@compile_cached(fastmath=True)
def _residuals(scores: Array, targets: Array, out: Array) -> None:
    """Target minus probability."""
    n_trees, n = scores.shape
    for start in range(0, n, BLOCK):
        end = min(start + BLOCK, n)
        top, total = _find_highest(scores, start, end), np.zeros(end - start, np.float32)
        if n_trees == 1:  # the other class has score 0
            top[:] = np.maximum(top, np.float32(0))
            _exp(-top, total)
        for c in range(n_trees):
            row = out[c][start:end]
            _exp(scores[c][start:end] - top, row)
            for i in range(len(row)):
                total[i] += row[i]
        total[:] = np.float32(1) / total
        for c in range(n_trees):
            row, own = out[c][start:end], targets[c][start:end]
            for i in range(len(row)):
                row[i] = np.float32(own[i]) - row[i] * total[i]


@compile_cached(fastmath=True)
def _find_highest(scores: Array, start: int, end: int) -> Array:
    top = scores[0][start:end].copy()
    for c in range(1, len(scores)):
        row = scores[c][start:end]
        for i in range(len(row)):
            above = row[i] - top[i]
            top[i] += above * np.float32(above > 0)  # a maximum that the compiler vectorises
    return top


@compile_cached(fastmath=True)
def _exp(x: Array, out: Array) -> None:
    """exp of x <= 0 to 1e-5, as 2^k times a Taylor polynomial: the compiler vectorises this."""
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


@compile_cached(fastmath=True)
def _squared_error(residual: Array) -> float:
    total, squared = 0.0, 0.0
    for i in range(len(residual)):
        r = np.float64(residual[i])
        total += r
        squared += r * r
    return squared - total * total / len(residual)


@compile_cached()
def _scale(n: int) -> Scale:
    bits = 1
    while 2**bits <= n:
        bits += 1
    return Scale(bits, 2.0 ** -min(30, 62 - 2 * bits))


@compile_cached()
def _pack(residual: Array, scale: Scale, out: Array) -> None:
    per_unit = np.float32(1 / scale.unit)
    for i in range(len(residual)):
        out[i] = (np.int64(np.int32(residual[i] * per_unit)) << scale.bits) + 1


@compile_cached()
def _grow(rows: Rows, tree: Tree, orders: Array, space: Space) -> None:
    """Split nodes level by level. `space.place` ends up as the leaf of each row."""
    tree.gain[:], tree.error[:], space.place[:] = 0, 0, 0
    tree.error[0] = rows.error
    if rows.error < rows.least:
        return
    _sum_all(rows, space.sums[0])
    for depth in range(DEPTH):
        level = range(2**depth - 1, 2 ** (depth + 1) - 1)
        for node in level:
            if tree.error[node] >= rows.least:
                _split(rows, tree, node, orders[node], space)
        _descend(rows.ranks, tree.code, tree.last_left, depth, space.place, space.spare)
        if depth == DEPTH - 1:
            return
        for node in level:
            if tree.error[2 * node + 1] >= rows.least:
                _sum_children(rows, node, tree.most_right[node], space)


@compile_cached()
def _split(rows: Rows, tree: Tree, node: int, order: Array, space: Space) -> None:
    j, b, gain, tree.most_right[node] = _best_split(rows, space.sums[node], order, space)
    if gain >= rows.least:
        tree.code[node], tree.last_left[node], tree.gain[node] = j, rows.last_rank[j, b], gain
        tree.error[2 * node + 1] = tree.error[2 * node + 2] = tree.error[node] - gain


@compile_cached()
def _sum_children(rows: Rows, node: int, most_right: bool, space: Space) -> None:
    """The sums of the child with fewer rows, and by difference those of the other."""
    left, right = 2 * node + 1, 2 * node + 2
    small, large = (left, right) if most_right else (right, left)
    n = _members(space.place, small - (1 if node == 0 else 3), space.chosen)
    _sum(rows, space.chosen[:n], space.gathered, space.sums[small])
    _subtract(rows, space.sums[node], space.sums[small], space.sums[large])


@compile_cached()
def _descend(
    ranks: Array, code: Array, last_left: Array, depth: int, place: Array, right: Array
) -> None:
    """From the place of each row in its level of the tree to that in the next."""
    right[:] = 0
    for at in range(2**depth):
        node = 2**depth - 1 + at
        if code[node] < 0:
            continue
        column, cut, here = ranks[code[node]], last_left[node], np.uint16(at)
        for i in range(len(place)):
            right[i] |= np.uint16((place[i] == here) & (column[i] > cut))
    for i in range(len(place)):
        place[i] = np.uint16(2) * place[i] + right[i]


@compile_cached()
def _members(place: Array, wanted: int, out: Array) -> np.int64:
    """Write the rows at one place to `out`; return how many they are."""
    n, here = np.uint64(0), np.uint16(wanted)
    for i in range(len(place)):
        out[n] = i  # always written, and overwritten unless counted: cheaper than a branch
        n += np.uint64(place[i] == here)
    return np.int64(n)


@compile_cached()
def _sum_all(rows: Rows, out: Array) -> None:
    """Sum of the residuals and number of rows in each bin of each code, four codes at a time.

    Rows of one bin often follow each other, and an addition to a number waits for the last one:
    with several codes the processor has others to make meanwhile.
    """
    bins, n_codes, packed = rows.bins, len(rows.bins), rows.packed
    _clear(rows, out)
    for j in range(0, n_codes - 3, 4):
        a, b, c, d = bins[j], bins[j + 1], bins[j + 2], bins[j + 3]
        to_a, to_b, to_c, to_d = out[j], out[j + 1], out[j + 2], out[j + 3]
        for i in range(len(packed)):
            r = packed[i]
            to_a[np.uint64(a[i])] += r
            to_b[np.uint64(b[i])] += r
            to_c[np.uint64(c[i])] += r
            to_d[np.uint64(d[i])] += r
    for j in range(n_codes - n_codes % 4, n_codes):
        a, to_a = bins[j], out[j]
        for i in range(len(packed)):
            to_a[np.uint64(a[i])] += packed[i]


@compile_cached()
def _sum(rows: Rows, chosen: Array, gathered: Array, out: Array) -> None:
    """As `_sum_all` over the chosen rows."""
    bins, n_codes = rows.bins, len(rows.bins)
    for k in range(len(chosen)):
        gathered[k] = rows.packed[np.uint64(chosen[k])]
    _clear(rows, out)
    for j in range(0, n_codes - 3, 4):
        a, b, c, d = bins[j], bins[j + 1], bins[j + 2], bins[j + 3]
        to_a, to_b, to_c, to_d = out[j], out[j + 1], out[j + 2], out[j + 3]
        for k in range(len(chosen)):
            i, r = np.uint64(chosen[k]), gathered[k]
            to_a[np.uint64(a[i])] += r
            to_b[np.uint64(b[i])] += r
            to_c[np.uint64(c[i])] += r
            to_d[np.uint64(d[i])] += r
    for j in range(n_codes - n_codes % 4, n_codes):
        a, to_a = bins[j], out[j]
        for k in range(len(chosen)):
            to_a[np.uint64(a[np.uint64(chosen[k])])] += gathered[k]


@compile_cached()
def _clear(rows: Rows, out: Array) -> None:
    for j in range(len(rows.bins)):
        out[j, : rows.n_bins[j]] = 0


@compile_cached()
def _subtract(rows: Rows, whole: Array, part: Array, out: Array) -> None:
    for j in range(len(rows.n_bins)):
        for b in range(rows.n_bins[j]):
            out[j, b] = whole[j, b] - part[j, b]


@compile_cached()
def _best_split(
    rows: Rows, sums: Array, order: Array, space: Space
) -> tuple[int, int, float, np.bool_]:
    """The code, the last bin to the left, how much the error falls, whether most go right."""
    bits, n_bins = rows.scale.bits, rows.n_bins
    total = sums[0, : n_bins[0]].sum()
    count = np.float64(total & (2**bits - 1))
    mean = np.float64(total >> bits) / count
    best, best_code, best_bin, best_left = 0.0, -1, -1, 0.0
    left, n_left = space.left, space.n_left
    whole_left, whole_n = left.view(np.int64), n_left.view(np.int64)
    counted = np.int64(2**bits - 1)
    for j in order:
        n, running = n_bins[j] - 1, np.int64(0)
        for b in range(n):
            running += sums[j, b]
            whole_n[b] = running
        for b in range(n):  # floats by their bits: the compiler vectorises this
            running = whole_n[b]
            whole_left[b] = (running >> bits) + ZERO_BITS
            whole_n[b] = (running & counted) + ZERO_BITS
        for b in range(n):
            left[b] -= ZERO
            n_left[b] -= ZERO
        if not _is_any_better(left, n_left, n, count, mean, best):
            continue
        for b in range(n):
            excess, halves = left[b] - n_left[b] * mean, n_left[b] * (count - n_left[b])
            if excess * excess * count > best * halves and halves > 0:
                best = excess * excess * count / halves * TIE
                best_code, best_bin, best_left = j, b, n_left[b]
    return best_code, best_bin, best * rows.scale.unit**2, 2 * best_left < count


@compile_cached()
def _is_any_better(
    left: Array, n_left: Array, n: int, count: float, mean: float, best: float
) -> bool:
    better = 0
    for b in range(n):
        excess = left[b] - n_left[b] * mean
        better += excess * excess * count > best * (n_left[b] * (count - n_left[b]))
    return better > 0


@compile_cached(fastmath=True)
def _newton(residual: Array, place: Array, rate: float, value: Array) -> None:
    """One Newton step in each leaf: sum of r over sum of |r| (1 - |r|)."""
    slope, curvature = np.zeros((4, N_INNER + 1)), np.zeros((4, N_INNER + 1))
    for i in range(len(residual)):
        r, part = np.float64(residual[i]), i & 3  # additions to one number wait for each other
        leaf = np.uint64(place[i])
        slope[part, leaf] += r
        curvature[part, leaf] += abs(r) * (1 - abs(r))
    for k in range(N_INNER + 1):
        total = curvature[:, k].sum()
        if total > 1e-30:
            value[k] = rate * slope[:, k].sum() / total


@compile_cached()
def _mean_leaves(residual: Array, place: Array, rate: float, value: Array) -> None:
    """A part of the mean residual of each leaf."""
    total, count = np.zeros(N_INNER + 1), np.zeros(N_INNER + 1)
    for i in range(len(residual)):
        leaf = np.uint64(place[i])
        total[leaf] += np.float64(residual[i])
        count[leaf] += 1
    for k in range(N_INNER + 1):
        if count[k] > 0:
            value[k] = rate * total[k] / count[k]


@compile_cached()
def _add_leaves(value: Array, place: Array, scores: Array) -> None:
    for i in range(len(place)):
        scores[i] += value[np.uint64(place[i])]
