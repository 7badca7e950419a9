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
    add_up,
    load,
    narrow,
    select,
    spread,
    store,
    to_floats,
    to_ints,
    transpose,
    widen,
)
from gordium.numba_cache import compile_cached

Array = NDArray[Any]

N_INNER, DEPTH, N_BINS = 7, 3, 256
N_KEPT = 3  # nodes whose sums are kept: 0, 1 and a left one of the lowest level
NEVER = N_BINS - 1  # no bin is to the right of it
COUNT_BITS, CHUNK, STEP = 6, 60, 4  # a count of up to 60 rows, a multiple of 4, fits six bits
BLOCK = 64  # rows at a time where a loop leaves something for the next one
LEAST_GAIN, LEAST_PART = 1e-9, 1e-6  # as in `_boosting_kernels`
LEAST_CHANCE, MOST_STEP = 1e-30, 80  # so that a chance stays a normal number
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
    """Aligned memory: (blocks * rows, lanes) of the classes; `N_KEPT` nodes' sums up to a bin."""

    chances: Array
    place: Array
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
    """Cut codes, the last bin left of each cut, and leaves; `space.chances` are what is fitted.

    `rates` (blocks, lanes) are the parts of a Newton step that are made.
    """
    n_blocks, n, wide, n_classes = len(rates), len(labels), binned.bins.shape[1], labels.max() + 1
    code = np.zeros((rounds, n_blocks, N_LANES, N_INNER), np.uint16)
    cut = np.full((rounds, n_blocks, N_LANES, N_INNER), NEVER, np.uint8)
    value = np.zeros((rounds, n_blocks, N_INNER + 1, N_LANES), np.float32)
    columns, place = np.zeros((N_LANES, wide), np.uint8), space.place
    total, n_rows = np.zeros((15, N_LANES), np.int32), np.zeros((15, N_LANES), np.int32)
    where, gain = np.zeros((7, N_LANES), np.int32), np.zeros((7, N_LANES), np.float32)
    least, per_unit = np.zeros((1, N_LANES), np.float32), np.zeros((1, N_LANES), np.float32)
    growth = np.ones((n_blocks * (N_INNER + 1), N_LANES), np.float32)
    about = np.zeros((n_blocks * 3, N_LANES), np.float32)
    n_rows[0] = n
    for t in range(rounds):
        _update(space.chances, labels, growth, place, about)
        for b in range(n_blocks):
            tree = Tree(code[t, b], cut[t, b], total, n_rows, gain, where, least, binned.borders[b])
            chance, here = space.chances[b * n : (b + 1) * n], place[b * wide : (b + 1) * wide]
            _measure(about[3 * b : 3 * b + 3], n, least, per_unit)
            _pack(chance, labels, b, per_unit, space.packed, total)
            order, used = orders[(t * n_blocks + b) % len(orders)], n_classes - b * N_LANES
            for depth in range(DEPTH):
                _grow(binned, order, tree, depth, here, space)
                _descend(binned.bins, tree.code, tree.cut, depth, columns[:used])
                _transpose(columns, here)
            rate = load(rates, b) / load(per_unit, 0)
            _newton(chance, here, total[N_INNER:], rate, value[t, b])
        growth[:] = np.exp(np.clip(value[t], -MOST_STEP, MOST_STEP)).reshape(growth.shape)
    return code, cut, value


@compile_cached(nogil=True)
def score_binned(bins: Array, code: Array, cut: Array, value: Array, start: Array) -> Array:
    """(classes, rows): the score of each class."""
    (n_codes, n), wide = bins.shape, bins.shape[1] + -bins.shape[1] % N_LANES
    padded, out = np.zeros((n_codes, wide), np.uint8), np.zeros((len(start), n), np.float32)
    padded[:, :n] = bins
    columns, place = np.zeros((N_LANES, wide), np.uint8), np.zeros((wide, N_LANES), np.uint8)
    scores = np.empty((n, N_LANES), np.float32)
    for first in range(0, len(start), N_LANES):
        b, own = first // N_LANES, out[first : first + N_LANES]
        scores[:] = 0
        for t in range(len(code)):
            for depth in range(DEPTH):
                _descend(padded, code[t, b], cut[t, b], depth, columns[: len(own)])
            _transpose(columns, place)
            leaves = _load_leaves(value[t, b], 0)
            for i in range(n):
                store(scores, i, load(scores, i) + _pick(leaves, load(place, i)))
        for k in range(len(own)):
            own[k] = start[first + k] + scores[:, k]
    return out


@compile_cached()
def _update(chances: Array, labels: Array, growth: Array, place: Array, about: Array) -> None:
    """Multiply the chances of classes by what the last trees' leaves say, and divide by their sum.

    `about` then has, of the residuals of each block, the sum, the squared sum and the greatest. Few
    rows at a time, so that they are found in the nearest cache.
    """
    n, n_blocks = len(labels), len(about) // 3
    wide, sums = len(place) // n_blocks, np.empty(BLOCK, np.float32)
    least, zero = spread(np.float32(LEAST_CHANCE)), spread(np.float32(0))
    spare = np.empty((BLOCK, N_LANES), np.float32)
    about[:] = 0
    for first in range(0, n, BLOCK):
        last = min(first + BLOCK, n)
        spare[:] = 0
        for b in range(n_blocks):
            leaves = _load_leaves(growth, b)
            for i in range(first, last):
                factor = _pick(leaves, load(place, b * wide + i))
                chance = _maximum(load(chances, b * n + i) * factor, least)
                store(chances, b * n + i, chance)
                store(spare, i - first, load(spare, i - first) + chance)
        for i in range(last - first):
            sums[i] = add_up(load(spare, i))
        for i in range(last - first):  # apart, so that the compiler vectorises it
            sums[i] = np.float32(1) / sums[i]
        for b in range(n_blocks):
            total, squared, top = load(about, 3 * b), load(about, 3 * b + 1), load(about, 3 * b + 2)
            for i in range(first, last):
                chance = load(chances, b * n + i) * spread(sums[i - first])
                store(chances, b * n + i, chance)
                r = _target(labels[i], b) - chance
                total, squared = total + r, squared + r * r
                top = _maximum(top, _maximum(r, zero - r))
            store(about, 3 * b, total)
            store(about, 3 * b + 1, squared)
            store(about, 3 * b + 2, top)


@compile_cached()
def _target(label: int, block: int) -> Any:
    lane = load(LANE, 0) == spread(np.int32(label - block * N_LANES))
    return select(lane, spread(np.float32(1)), spread(np.float32(0)))


@compile_cached()
def _load_leaves(leaves: Array, block: int) -> Any:
    k = block * (N_INNER + 1)
    return (
        load(leaves, k), load(leaves, k + 1), load(leaves, k + 2), load(leaves, k + 3),
        load(leaves, k + 4), load(leaves, k + 5), load(leaves, k + 6), load(leaves, k + 7),
    )  # fmt: skip


@compile_cached()
def _pick(leaves: Any, place: Any) -> Any:
    """In each lane that leaf which `place` says."""
    v0, v1, v2, v3, v4, v5, v6, v7 = leaves
    one, two, four = spread(np.uint8(1)), spread(np.uint8(2)), spread(np.uint8(4))
    a, b, c = place & four == four, place & two == two, place & one == one
    upper = select(b, select(c, v7, v6), select(c, v5, v4))
    lower = select(b, select(c, v3, v2), select(c, v1, v0))
    return select(a, upper, lower)


@compile_cached()
def _maximum(a: Any, b: Any) -> Any:
    return select(a > b, a, b)


@compile_cached()
def _measure(about: Array, n: int, least: Array, per_unit: Array) -> None:
    """Units in each lane so small that sums over all rows keep 31 bits; the least gain in them."""
    sum_, squared, top = load(about, 0), load(about, 1), load(about, 2)
    bits = 0
    while 2**bits <= n:
        bits += 1
    scale = spread(np.float32(2 ** min(30 - bits, 19)))
    scale = scale / _maximum(top, spread(np.float32(LEAST_CHANCE)))
    error = squared - sum_ * sum_ / spread(np.float32(n))
    gain = _maximum(error * spread(np.float32(LEAST_PART)), spread(np.float32(LEAST_GAIN)))
    store(least, 0, gain * scale * scale)
    store(per_unit, 0, scale)


@compile_cached()
def _pack(
    chance: Array, labels: Array, block: int, per_unit: Array, packed: Array, sums: Array
) -> None:
    """Residuals as whole numbers of the units, each above a count of one; and their sum."""
    total, scale = spread(np.int32(0)), load(per_unit, 0)
    shift, count = spread(np.int32(COUNT_BITS)), spread(np.int32(1))
    for i in range(len(labels)):
        whole = to_ints((_target(labels[i], block) - load(chance, i)) * scale)
        total = total + whole
        store(packed, i, (whole << shift) + count)
    store(sums, 0, total)


@compile_cached()
def _grow(binned: Binned, order: Array, tree: Tree, depth: int, place: Array, space: Space) -> None:
    """Split the nodes of a level, in pairs of a left child and its sibling."""
    first, last, rows = 2**depth - 1, 2 ** (depth + 1) - 1, space.packed
    for node in range(first, last, 2):
        if depth > 0:
            rows = space.kept
            _keep(space.packed[: len(space.kept) - 1], place, node - first, rows)
        _search(rows, binned, order, tree, node, space)
        for pair in range(node, min(node + 2, last)):
            _split(tree, pair, space)


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
    none, zero = spread(np.int32(0)), spread(np.float32(0))
    best = other_best = zero, spread(np.float32(1)), none
    about, other = _describe(tree, node), _describe(tree, node + 1)
    sums, counts = space.sums, space.counts
    own, parent, less = _find_sums(node, len(sums))
    for j in order:
        rows, start, total, count = binned.rows[j], 0, none, none
        for b in range(N_BINS):
            end = binned.ends[j, b]
            if end == start:
                break
            added, n_added = _sum_rows(packed, rows, start, end)
            total, count, start = total + added, count + n_added, end
            at = j * N_BINS + b
            store(sums, own + at, total)
            store(counts, own + at, narrow(count))
            border = load(tree.borders, at) == spread(np.uint8(1))
            best = _try(total, count, about, at, border, best)
            if node > 0:
                rest = load(sums, parent + at) - total
                n_rest = widen(load(counts, parent + at)) - count
                if less > 0:
                    rest = rest - load(sums, less + at)
                    n_rest = n_rest - widen(load(counts, less + at))
                other_best = _try(rest, n_rest, other, at, border, other_best)
    _note(tree, node, about, best)
    if node > 0:
        _note(tree, node + 1, other, other_best)


@compile_cached()
def _find_sums(node: int, n: int) -> tuple[int, int, int]:
    """Where the sums of a left child begin, and its parent's: those there less others, if any.

    Nodes 3 and 5 share memory; what node 2 has is the difference of nodes 0 and 1.
    """
    n_each = n // N_KEPT
    return min(node, 2) * n_each, int(node == 3) * n_each, int(node == 5) * n_each


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
    """The best cut so far: its gain as a numerator and a denominator, and its bin.

    No branch and no division here, which cost more than they save.
    """
    (whole, mean), n_left = about, to_floats(count)
    excess, halves = to_floats(total) - n_left * mean, n_left * (whole - n_left)
    squared = excess * excess
    better = border & (squared * best[1] > best[0] * halves) & (halves > spread(np.float32(0)))
    return (
        select(better, squared * spread(np.float32(TIE)), best[0]),
        select(better, halves, best[1]),
        select(better, spread(np.int32(at)), best[2]),
    )


@compile_cached()
def _note(tree: Tree, node: int, about: Any, best: Any) -> None:
    store(tree.gain, node, best[0] * about[0] / best[1])
    store(tree.where, node, best[2])


@compile_cached()
def _split(tree: Tree, node: int, space: Space) -> None:
    """Cut where it gains enough; otherwise all rows go left."""
    left, right = 2 * node + 1, 2 * node + 2
    for c in range(N_LANES):
        total, count = tree.total[node, c], tree.n_rows[node, c]
        if tree.gain[node, c] >= tree.least[0, c]:
            at = tree.where[node, c]
            total, count = _left(space.sums, node, at, c), _left(space.counts, node, at, c)
            tree.code[c, node], tree.cut[c, node] = at // N_BINS, at % N_BINS
        tree.total[left, c], tree.n_rows[left, c] = total, count
        tree.total[right, c] = tree.total[node, c] - total
        tree.n_rows[right, c] = tree.n_rows[node, c] - count


@compile_cached()
def _left(sums: Array, node: int, at: int, c: int) -> Any:
    """The sum of a node's rows up to a bin."""
    own, parent, less = _find_sums(node - (node > 0 and node % 2 == 0), len(sums))
    total = np.int32(sums[own + at, c])
    if node == 0 or node % 2 == 1:
        return total
    return sums[parent + at, c] - total - (sums[less + at, c] if less > 0 else 0)


@compile_cached()
def _descend(bins: Array, code: Array, cut: Array, depth: int, places: Array) -> None:
    """In each lane, from the place of each row in its level of the tree to that in the next."""
    first, n = 2**depth - 1, places.shape[1]
    for k in range(len(places)):
        a, to_a = code[k, first], cut[k, first]
        if depth == 0:
            for i in range(n):
                places[k, i] = np.uint8(bins[a, i] > to_a)
            continue
        b, to_b = code[k, first + 1], cut[k, first + 1]
        if depth == 1:
            for i in range(n):
                p = places[k, i] > np.uint8(0)
                right = (p & (bins[b, i] > to_b)) | (~p & (bins[a, i] > to_a))
                places[k, i] = (places[k, i] << np.uint8(1)) | np.uint8(right)
            continue
        c, to_c = code[k, first + 2], cut[k, first + 2]
        d, to_d = code[k, first + 3], cut[k, first + 3]
        for i in range(n):
            p, q = places[k, i] > np.uint8(1), (places[k, i] & np.uint8(1)) > np.uint8(0)
            upper = (q & (bins[d, i] > to_d)) | (~q & (bins[c, i] > to_c))
            lower = (q & (bins[b, i] > to_b)) | (~q & (bins[a, i] > to_a))
            places[k, i] = (places[k, i] << np.uint8(1)) | np.uint8((p & upper) | (~p & lower))


@compile_cached()
def _transpose(columns: Array, rows: Array) -> None:
    for i in range(0, len(rows), N_LANES):
        transpose(columns, i, rows)


@compile_cached()
def _newton(chance: Array, place: Array, slopes: Array, rate: Any, value: Array) -> None:
    """One Newton step in each leaf: sum of residuals over sum of p (1 - p)."""
    zero, one, least = spread(np.float32(0)), spread(np.float32(1)), spread(np.float32(1e-30))
    k0, k1, k2 = spread(np.uint8(0)), spread(np.uint8(1)), spread(np.uint8(2))
    k3, k4, k5 = spread(np.uint8(3)), spread(np.uint8(4)), spread(np.uint8(5))
    k6, k7 = spread(np.uint8(6)), spread(np.uint8(7))
    s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = zero
    for i in range(len(chance)):
        p, at = load(chance, i), load(place, i)
        bend = p * (one - p)
        s0, s1 = select(at == k0, s0 + bend, s0), select(at == k1, s1 + bend, s1)
        s2, s3 = select(at == k2, s2 + bend, s2), select(at == k3, s3 + bend, s3)
        s4, s5 = select(at == k4, s4 + bend, s4), select(at == k5, s5 + bend, s5)
        s6, s7 = select(at == k6, s6 + bend, s6), select(at == k7, s7 + bend, s7)
    for k, curvature in enumerate((s0, s1, s2, s3, s4, s5, s6, s7)):
        step = to_floats(load(slopes, k)) * rate / _maximum(curvature, least)
        store(value, k, select(curvature > least, step, zero))
