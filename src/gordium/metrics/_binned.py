"""Boosted trees of one factor with many classes, on codes cut into at most 256 bins.

The model is that of `_boosting.boost`, with coarser cuts: as LightGBM (Ke et al. 2017) has it.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gordium.metrics._arrays import check_memory
from gordium.metrics._boosting import Labels, Ranks, draw_orders

FEW_ROWS = 2048  # of fewer, half as many bins
MOST_ROWS = 2**15  # of more, sums of residuals would be too coarse


class BinnedBooster(NamedTuple):
    """Trees as (round, block, ...) of sixteen classes, and the bin of each code's ranks."""

    bin_of: NDArray[np.uint8]
    code: NDArray[np.uint8]
    cut: NDArray[np.uint8]
    value: NDArray[np.float32]
    start: NDArray[np.float32]

    def predict(self, ranks: Ranks) -> Labels:
        """The most probable class of each column of `ranks`."""
        from gordium.metrics._binned_kernels import score_binned

        bins = np.take_along_axis(self.bin_of, ranks, axis=1)
        scores = score_binned(bins, self.code, self.cut, self.value, self.start)
        return scores.argmax(axis=0)


def boost_binned(
    ranks: Ranks, labels: Labels, *, seed: int, rounds: int = 100, rate: float = 0.1
) -> BinnedBooster:
    """Fit one booster to labels from 0. `seed` decides between codes that split equally well."""
    from gordium.metrics._binned_kernels import (
        N_BINS,
        N_KEPT,
        N_LANES,
        Binned,
        Space,
        bin_ranks,
        boost_lanes,
        find_borders,
        list_members,
    )

    counts, (n_codes, n) = np.bincount(labels), ranks.shape
    n_blocks = -(-len(counts) // N_LANES)
    lanes = n_blocks, N_LANES
    check_memory(n_blocks * N_LANES, n, 8)
    start, rates = np.log(counts / n).astype(np.float32), np.zeros(lanes, np.float32)
    if len(counts) == 2:  # the score of the first stays 0
        start, rates.flat[1] = start - start[0], rate
    else:
        rates.flat[: len(counts)] = rate * (len(counts) - 1) / len(counts)
    bin_of = bin_ranks(ranks, labels, N_BINS if n > FEW_ROWS else N_BINS // 2)
    bins = np.take_along_axis(bin_of, ranks, axis=1)
    padded = np.pad(bins, ((0, 0), (0, -n % N_LANES)))
    space = Space(
        align((n_blocks * n, N_LANES), np.float32),
        align((n_blocks * padded.shape[1], N_LANES), np.uint8),
        align((n + 1, N_LANES), np.int32),
        align((n + 1, N_LANES), np.int32),
        align((N_KEPT * n_codes * N_BINS, N_LANES), np.int32),
        align((N_KEPT * n_codes * N_BINS, N_LANES), np.uint16),
    )
    for k, count in enumerate(counts):
        space.chances[k // N_LANES * n :][:n, k % N_LANES] = count / n
    rows, ends = list_members(bins)
    binned = Binned(padded, rows, ends, find_borders(bins, labels, n_blocks))
    orders = draw_orders(n_codes, seed, rounds * n_blocks)
    code, cut, value = boost_lanes(binned, labels.astype(np.int32), rates, orders, rounds, space)
    return BinnedBooster(bin_of, code, cut, value, start)


def align(shape: tuple[int, ...], dtype: type[np.generic]) -> NDArray[Any]:
    """Zeros that begin on a border of 64 bytes, so that no vector of 64 bytes lies across one."""
    n_bytes = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(n_bytes + 64, np.uint8)
    start = -memory.ctypes.data % 64
    return memory[start : start + n_bytes].view(dtype).reshape(shape)
