"""The compiled loops of boosting with binned codes, sixteen classes at a time.

Trees, a heap of nodes 0 to 6 and leaves 7 to 14, are those of `_boosting_kernels`. Here the lanes
of a vector (`_lanes`) are classes, each with its own tree: one addition of a row's lanes serves
all. Rows stand in the order of their bins, a list for each code, so that sums are made in
registers. A residual is a whole number above the bits of a count, so that one addition does for
both, no order of rows matters and differences of sums are exact. What is summed in the right child
of a node is the difference of the node and its left child, whose other rows count as zeros.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gordium.metrics._lanes import N_LANES as N_LANES
from gordium.metrics._lanes import (
    bits_as_floats,
    is_any,
    load,
    select,
    spread,
    store,
    to_floats,
    to_ints,
    transpose,
    turn,
)
from gordium.numba_cache import compile_cached

Array = NDArray[Any]

N_INNER, DEPTH, N_BINS = 7, 3, 256
N_KEPT = 3  # nodes above the lowest level, whose sums the next one needs
NEVER = N_BINS - 1  # no bin is to the right of it
COUNT_BITS, CHUNK, STEP = 6, 60, 4  # a count of up to 60 rows, a multiple of 4, fits six bits
BLOCK = 64  # rows at a time where a loop leaves something for the next one
LEAST_GAIN, LEAST_PART = 1e-9, 1e-6  # as in `_boosting_kernels`
TIE = 1 + 1e-5  # codes that split equally well differ by rounding alone
LANE = np.arange(N_LANES, dtype=np.int32)[None]


class Binned(NamedTuple):
    """Codes in bins (codes, rows); per code, the rows bin by bin and where each bin ends.

    Both are filled up: `bins` to a multiple of sixteen rows, each bin of `rows` to one of `STEP`,
    by the number of the row of zeros behind the others.
    """

    bins: Array
    rows: Array
    ends: Array
    borders: Array


class Space(NamedTuple):
    """Aligned memory: (blocks, rows, lanes) of the classes; sums of nodes 0 to 2 up to each bin."""

    scores: Array
    residuals: Array
    packed: Array
    kept: Array
    sums: Array
    counts: Array


class Tree(NamedTuple):
    """The trees of sixteen classes as they grow: per node its sums, and its best split."""

    code: Array
    cut: Array
    total: Array
    n_rows: Array
    gain: Array
    where: Array
    left: Array
    n_left: Array
    least: Array
    borders: Array


@compile_cached(nogil=True)
def bin_ranks(ranks: Array, labels: Array, most: int) -> Array:
    """The bin of each rank of each code: at most `most`, of about equally many rows.

    No cut between two neighbouring ranks whose rows are all of the same class can be the best
    (Fayyad and Irani 1992), so that those share a bin.
    """
    n_codes, n = ranks.shape
    n_ranks = np.int64(ranks.max()) + 1
    table = np.zeros((n_codes, n_ranks), np.uint8)
    for j in range(n_codes):
        counts, owner = np.zeros(n_ranks, np.int64), np.full(n_ranks, -1)
        for i in range(n):
            r = ranks[j, i]
            owner[r] = labels[i] if owner[r] == -1 or owner[r] == labels[i] else -2
            counts[r] += 1
        run = np.zeros(n_ranks, np.int64)
        for r in range(1, n_ranks):
            run[r] = run[r - 1] + (counts[r] > 0 and (owner[r] < 0 or owner[r] != owner[r - 1]))
        edges, n_edges, before = np.zeros(n_ranks, np.int64), run[-1], 0
        for r in range(n_ranks - 1):
            before += counts[r]
            if run[r + 1] > run[r]:
                edges[run[r]] = before  # rows before the run that begins
        kept = _pick_edges(edges[:n_edges], n, most)
        for r in range(1, n_ranks):
            table[j, r] = table[j, r - 1] + (run[r] > run[r - 1] and kept[run[r - 1]])
    return table


@compile_cached()
def _pick_edges(edges: Array, n: int, most: int) -> Array:
    """All edges, or those nearest to the quantiles: from both ends the same ones."""
    kept = np.ones(len(edges), np.bool_)
    if len(edges) < most:
        return kept
    kept[:] = False
    k = 0
    for q in range(1, most):
        wanted = q * n
        while k + 1 < len(edges):
            here, there = abs(edges[k] * most - wanted), abs(edges[k + 1] * most - wanted)
            if there > here or (there == here and 2 * q > most):
                break
            k += 1
        kept[k] = True
    return kept


@compile_cached(nogil=True)
def list_members(bins: Array) -> tuple[Array, Array]:
    """Rows and ends of `Binned`."""
    n_codes, n = bins.shape
    rows = np.full((n_codes, n + STEP * N_BINS), n, np.uint16)
    ends = np.zeros((n_codes, N_BINS), np.int64)
    for j in range(n_codes):
        counts = np.zeros(N_BINS, np.int64)
        for i in range(n):
            counts[bins[j, i]] += 1
        free = np.zeros(N_BINS, np.int64)
        end = 0
        for b in range(N_BINS):
            free[b] = end
            end += (counts[b] + STEP - 1) // STEP * STEP
            ends[j, b] = end
        for i in range(n):
            b = bins[j, i]
            rows[j, free[b]] = i
            free[b] += 1
    return rows, ends


@compile_cached(nogil=True)
def find_borders(bins: Array, labels: Array, n_blocks: int) -> Array:
    """(blocks, codes and bins, lanes): 1 where a tree of the class may cut behind the bin.

    Not between two bins without rows of the class, nor between two without others: as among
    equal residuals, no cut there could be the best, and it would lie further from other rows.
    """
    n_codes, n = bins.shape
    borders = np.zeros((n_blocks, n_codes * N_BINS, N_LANES), np.uint8)
    own = np.zeros((N_BINS, n_blocks * N_LANES), np.int32)
    for j in range(n_codes):
        own[:] = 0
        size = np.zeros(N_BINS, np.int32)
        for i in range(n):
            own[bins[j, i], labels[i]] += 1
            size[bins[j, i]] += 1
        for b in range(np.int64(bins[j].max())):
            for k in range(n_blocks * N_LANES):
                here, there = own[b, k], own[b + 1, k]
                pure = (here == 0 and there == 0) or (here == size[b] and there == size[b + 1])
                borders[k // N_LANES, j * N_BINS + b, k % N_LANES] = not pure
    return borders


@compile_cached(nogil=True)
def boost_lanes(
    binned: Binned, labels: Array, rates: Array, orders: Array, rounds: int, space: Space
) -> tuple[Array, Array, Array]:
    """Cut codes, the last bin left of each cut, and leaves; `space.scores` are what is fitted.

    `rates` (blocks, lanes) are the parts of a Newton step that are made.
    """
    (n_blocks, n, _), wide = space.scores.shape, binned.bins.shape[1]
    code = np.zeros((rounds, n_blocks, N_LANES, N_INNER), np.uint16)
    cut = np.full((rounds, n_blocks, N_LANES, N_INNER), NEVER, np.uint8)
    value = np.zeros((rounds, n_blocks, N_INNER + 1, N_LANES), np.float32)
    columns, place = np.zeros((N_LANES, wide), np.uint8), np.zeros((wide, N_LANES), np.uint8)
    total, n_rows = np.zeros((15, N_LANES), np.int32), np.zeros((15, N_LANES), np.int32)
    left, n_left = np.zeros((7, N_LANES), np.int32), np.zeros((7, N_LANES), np.int32)
    where, gain = np.zeros((7, N_LANES), np.int32), np.zeros((7, N_LANES), np.float32)
    least, unit = np.zeros((1, N_LANES), np.float32), np.zeros((1, N_LANES), np.float32)
    n_rows[0] = n
    for t in range(rounds):
        _find_residuals(space.scores, labels, space.residuals)
        for b in range(n_blocks):
            best = gain, where, left, n_left, least, binned.borders[b]
            tree = Tree(code[t, b], cut[t, b], total, n_rows, *best)
            residual, order = space.residuals[b], orders[(t * n_blocks + b) % len(orders)]
            _pack(residual, tree, space.packed, unit)
            for depth in range(DEPTH):
                _grow(binned, order, tree, depth, place, space)
                for c in range(N_LANES):
                    _descend(binned.bins, tree.code[c], tree.cut[c], depth, columns[c])
                for i in range(0, wide, N_LANES):
                    transpose(columns, i, place)
            rate = load(rates, b) * load(unit, 0)
            _newton(residual, place, tree.total[N_INNER:], rate, value[t, b])
            _add_leaves(value[t, b], place, space.scores[b])
    return code, cut, value


@compile_cached(nogil=True)
def score_binned(bins: Array, code: Array, cut: Array, value: Array, start: Array) -> Array:
    """(classes, rows): the score of each class."""
    rounds, n = len(code), bins.shape[1]
    scores, place = np.empty((len(start), n), np.float32), np.empty(n, np.uint8)
    for k in range(len(start)):
        b, c = k // N_LANES, k % N_LANES
        scores[k] = start[k]
        for t in range(rounds):
            for depth in range(DEPTH):
                _descend(bins, code[t, b, c], cut[t, b, c], depth, place)
            _add_column(value[t, b, :, c], place, scores[k])
    return scores


@compile_cached()
def _find_residuals(scores: Array, labels: Array, out: Array) -> None:
    """Target minus probability.

    In several loops, whose rows need not wait for each other, over so few rows at a time that
    what they leave is found in the nearest cache.
    """
    n_blocks, n, _ = scores.shape
    one, zero = spread(np.float32(1)), spread(np.float32(0))
    spare = np.empty((BLOCK, N_LANES), np.float32)
    for first in range(0, n, BLOCK):
        last = min(first + BLOCK, n)
        _exponentiate(scores, first, last, spare, out)
        for b in range(n_blocks):
            lane = load(LANE, 0) + spread(np.int32(b * N_LANES))
            for i in range(first, last):
                target = select(lane == spread(np.int32(labels[i])), one, zero)
                store(out[b], i, target - load(out[b], i) * load(spare, i - first))


@compile_cached()
def _exponentiate(scores: Array, first: int, last: int, inverse: Array, out: Array) -> None:
    """The exponentials of some rows, and one over their sums."""
    n_blocks = len(scores)
    one, zero = spread(np.float32(1)), spread(np.float32(0))
    for i in range(first, last):
        top = load(scores[0], i)
        for b in range(1, n_blocks):
            top = _maximum(top, load(scores[b], i))
        top = _maximum(top, turn(top, 8))
        top = _maximum(top, turn(top, 4))
        top = _maximum(top, turn(top, 2))
        store(inverse, i - first, _maximum(top, turn(top, 1)))
    for i in range(first, last):
        top, total = load(inverse, i - first), zero
        for b in range(n_blocks):
            exp = _exp(load(scores[b], i) - top)
            store(out[b], i, exp)
            total = total + exp
        store(inverse, i - first, total)
    for i in range(last - first):
        total = load(inverse, i)
        total = total + turn(total, 8)
        total = total + turn(total, 4)
        total = total + turn(total, 2)
        store(inverse, i, one / (total + turn(total, 1)))


@compile_cached()
def _maximum(a: Any, b: Any) -> Any:
    return select(a > b, a, b)


@compile_cached()
def _exp(x: Any) -> Any:
    """exp of x <= 0 to 1e-5, as 2^k times a Taylor polynomial."""
    scaled = _maximum(x, spread(np.float32(-85))) * spread(np.float32(1.4426950408889634))
    k = to_ints(scaled - spread(np.float32(0.5)))
    y = (scaled - to_floats(k)) * spread(np.float32(0.6931471805599453))
    total = spread(np.float32(1 / 120)) * y + spread(np.float32(1 / 24))
    total = total * y + spread(np.float32(1 / 6))
    total = total * y + spread(np.float32(1 / 2))
    total = total * y + spread(np.float32(1))
    total = total * y + spread(np.float32(1))
    return total * bits_as_floats((k + spread(np.int32(127))) << spread(np.int32(23)))


@compile_cached()
def _pack(residual: Array, tree: Tree, packed: Array, unit: Array) -> None:
    """Whole numbers of a unit, in each lane so small that sums over all rows keep 31 bits."""
    n, zero = len(residual), spread(np.float32(0))
    sum_, squared, top = zero, zero, zero
    for i in range(n):
        r = load(residual, i)
        sum_, squared = sum_ + r, squared + r * r
        top = _maximum(top, _maximum(r, zero - r))
    bits = 0
    while 2**bits <= n:
        bits += 1
    top = _maximum(top, spread(np.float32(1e-30)))
    per_unit = spread(np.float32(2 ** min(30 - bits, 19))) / top
    store(unit, 0, spread(np.float32(1)) / per_unit)
    error = squared - sum_ * sum_ / spread(np.float32(n))
    least = _maximum(error * spread(np.float32(LEAST_PART)), spread(np.float32(LEAST_GAIN)))
    store(tree.least, 0, least * per_unit * per_unit)
    total, shift, count = spread(np.int32(0)), spread(np.int32(COUNT_BITS)), spread(np.int32(1))
    for i in range(n):
        whole = to_ints(load(residual, i) * per_unit)
        total = total + whole
        store(packed, i, (whole << shift) + count)
    store(tree.total, 0, total)


@compile_cached()
def _grow(binned: Binned, order: Array, tree: Tree, depth: int, place: Array, space: Space) -> None:
    """Split the nodes of a level, in pairs of a left child and its sibling."""
    first, last, rows = 2**depth - 1, 2 ** (depth + 1) - 1, space.packed
    for node in range(first, last, 2):
        if depth > 0:
            rows = space.kept
            _keep(space.packed[: len(space.kept) - 1], place, node - first, rows)
        _search(rows, binned, order, tree, node, space)
    for node in range(first, last):
        _split(tree, node)


@compile_cached()
def _keep(packed: Array, place: Array, wanted: int, out: Array) -> None:
    """The rows at one place, with zeros for the others."""
    here, zero = spread(np.uint8(wanted)), spread(np.int32(0))
    for i in range(len(packed)):
        store(out, i, select(load(place, i) == here, load(packed, i), zero))


@compile_cached()
def _search(
    packed: Array, binned: Binned, order: Array, tree: Tree, node: int, space: Space
) -> None:
    """Find the best split of a left child from its rows, and with its parent's sums the other's."""
    zero, none = spread(np.float32(0)), spread(np.int32(0))
    best = other_best = zero, none, none, none
    about, other = _describe(tree, node), _describe(tree, node + 1)
    sums, counts, parent = space.sums, space.counts, (node - 1) // 2
    for j in order:
        rows, start, total, count = binned.rows[j], 0, none, none
        for b in range(N_BINS):
            end = binned.ends[j, b]
            if end == start:
                break
            added, n_added = _sum_rows(packed, rows, start, end)
            total, count, start = total + added, count + n_added, end
            at = j * N_BINS + b
            border = load(tree.borders, at) == spread(np.uint8(1))
            best = _try(total, count, about, at, border, best)
            rest, n_rest = total, count
            if node > 0:
                rest, n_rest = load(sums[parent], at) - total, load(counts[parent], at) - count
                other_best = _try(rest, n_rest, other, at, border, other_best)
            if node < N_KEPT:
                _keep_sums(space, node, at, total, count)
                _keep_sums(space, node + (node > 0), at, rest, n_rest)
    _note(tree, node, best)
    if node > 0:
        _note(tree, node + 1, other_best)


@compile_cached()
def _keep_sums(space: Space, node: int, at: int, total: Any, count: Any) -> None:
    store(space.sums[node], at, total)
    store(space.counts[node], at, count)


@compile_cached()
def _describe(tree: Tree, node: int) -> tuple[Any, Any]:
    """Of a node, the number of rows and the mean residual."""
    count = to_floats(load(tree.n_rows, node))
    return count, to_floats(load(tree.total, node)) / _maximum(count, spread(np.float32(1)))


@compile_cached()
def _sum_rows(packed: Array, rows: Array, first: int, last: int) -> tuple[Any, Any]:
    """Sum and count of the rows of a bin, taken apart before a count overflows."""
    total = count = spread(np.int32(0))
    shift, mask = spread(np.int32(COUNT_BITS)), spread(np.int32(2**COUNT_BITS - 1))
    i, end = np.uint64(first), np.uint64(last)  # of unsigned indices numba wraps none around
    while i < end:
        a = b = spread(np.int32(0))
        rest = min(end - i, np.uint64(CHUNK))
        stop = i + rest
        while i < stop:
            a = a + load(packed, rows[i])
            b = b + load(packed, rows[i + np.uint64(1)])
            a = a + load(packed, rows[i + np.uint64(2)])
            b = b + load(packed, rows[i + np.uint64(3)])
            i += np.uint64(STEP)
        total, count = total + ((a + b) >> shift), count + ((a + b) & mask)
    return total, count


@compile_cached()
def _try(total: Any, count: Any, about: Any, at: int, border: Any, best: Any) -> Any:
    """Gain, bin, sum and count to the left of the best cut so far."""
    (whole, mean), n_left = about, to_floats(count)
    excess, halves = to_floats(total) - n_left * mean, n_left * (whole - n_left)
    squared = excess * excess * whole
    better = border & (squared > best[0] * halves) & (halves > spread(np.float32(0)))
    if is_any(better):
        gain = squared / halves * spread(np.float32(TIE))
        return (
            select(better, gain, best[0]),
            select(better, spread(np.int32(at)), best[1]),
            select(better, total, best[2]),
            select(better, count, best[3]),
        )
    return best


@compile_cached()
def _note(tree: Tree, node: int, best: Any) -> None:
    store(tree.gain, node, best[0])
    store(tree.where, node, best[1])
    store(tree.left, node, best[2])
    store(tree.n_left, node, best[3])


@compile_cached()
def _split(tree: Tree, node: int) -> None:
    """Cut where it gains enough; otherwise all rows go left."""
    left, right = 2 * node + 1, 2 * node + 2
    for c in range(N_LANES):
        total, count = tree.total[node, c], tree.n_rows[node, c]
        if tree.gain[node, c] >= tree.least[0, c]:
            at, total, count = tree.where[node, c], tree.left[node, c], tree.n_left[node, c]
            tree.code[c, node], tree.cut[c, node] = at // N_BINS, at % N_BINS
        tree.total[left, c], tree.n_rows[left, c] = total, count
        tree.total[right, c] = tree.total[node, c] - total
        tree.n_rows[right, c] = tree.n_rows[node, c] - count


@compile_cached()
def _descend(bins: Array, code: Array, cut: Array, depth: int, place: Array) -> None:
    """From the place of each row in its level of the tree to that in the next."""
    first = 2**depth - 1
    a, to_a = bins[code[first]], cut[first]
    if depth == 0:
        for i in range(len(place)):
            place[i] = np.uint8(a[i] > to_a)
        return
    b, to_b = bins[code[first + 1]], cut[first + 1]
    if depth == 1:
        for i in range(len(place)):
            p = place[i] > np.uint8(0)
            right = (p & (b[i] > to_b)) | (~p & (a[i] > to_a))
            place[i] = (place[i] << np.uint8(1)) | np.uint8(right)
        return
    c, to_c = bins[code[first + 2]], cut[first + 2]
    d, to_d = bins[code[first + 3]], cut[first + 3]
    for i in range(len(place)):
        p, q = place[i] > np.uint8(1), (place[i] & np.uint8(1)) > np.uint8(0)
        upper = (q & (d[i] > to_d)) | (~q & (c[i] > to_c))
        lower = (q & (b[i] > to_b)) | (~q & (a[i] > to_a))
        place[i] = (place[i] << np.uint8(1)) | np.uint8((p & upper) | (~p & lower))


@compile_cached()
def _newton(residual: Array, place: Array, slopes: Array, rate: Any, value: Array) -> None:
    """One Newton step in each leaf: sum of r over sum of |r| (1 - |r|)."""
    zero, one, least = spread(np.float32(0)), spread(np.float32(1)), spread(np.float32(1e-30))
    k0, k1, k2 = spread(np.uint8(0)), spread(np.uint8(1)), spread(np.uint8(2))
    k3, k4, k5 = spread(np.uint8(3)), spread(np.uint8(4)), spread(np.uint8(5))
    k6, k7 = spread(np.uint8(6)), spread(np.uint8(7))
    s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = zero
    for i in range(len(residual)):
        r, p = load(residual, i), load(place, i)
        size = _maximum(r, zero - r)
        bend = size * (one - size)
        s0, s1 = select(p == k0, s0 + bend, s0), select(p == k1, s1 + bend, s1)
        s2, s3 = select(p == k2, s2 + bend, s2), select(p == k3, s3 + bend, s3)
        s4, s5 = select(p == k4, s4 + bend, s4), select(p == k5, s5 + bend, s5)
        s6, s7 = select(p == k6, s6 + bend, s6), select(p == k7, s7 + bend, s7)
    for k, curvature in enumerate((s0, s1, s2, s3, s4, s5, s6, s7)):
        step = to_floats(load(slopes, k)) * rate / _maximum(curvature, least)
        store(value, k, select(curvature > least, step, zero))


@compile_cached()
def _add_leaves(value: Array, place: Array, scores: Array) -> None:
    v0, v1, v2, v3 = load(value, 0), load(value, 1), load(value, 2), load(value, 3)
    v4, v5, v6, v7 = load(value, 4), load(value, 5), load(value, 6), load(value, 7)
    one, two, four = spread(np.uint8(1)), spread(np.uint8(2)), spread(np.uint8(4))
    for i in range(len(scores)):
        p = load(place, i)
        a, b, c = p & four == four, p & two == two, p & one == one
        upper = select(b, select(c, v7, v6), select(c, v5, v4))
        lower = select(b, select(c, v3, v2), select(c, v1, v0))
        store(scores, i, load(scores, i) + select(a, upper, lower))


@compile_cached()
def _add_column(value: Array, place: Array, scores: Array) -> None:
    """As `_add_leaves` for one class."""
    v0, v1, v2, v3, v4, v5, v6, v7 = (
        value[0], value[1], value[2], value[3], value[4], value[5], value[6], value[7],
    )  # fmt: skip
    for i in range(len(place)):
        p = place[i]
        a, b, c = p > np.uint8(3), (p & np.uint8(2)) > 0, (p & np.uint8(1)) > 0
        upper = (v7 if c else v6) if b else (v5 if c else v4)
        lower = (v3 if c else v2) if b else (v1 if c else v0)
        scores[i] += upper if a else lower
