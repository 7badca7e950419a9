"""The compiled loops over posteriors."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gordium.numba_cache import compile_cached

Array = NDArray[Any]


class Groups(NamedTuple):
    """`members` are the rows of label 0, then 1, ..., up to `ends` of each.

    `drawn` are the rows whose codes were drawn, `own` their labels of each factor.
    """

    members: Array
    ends: Array
    drawn: Array
    own: Array


class Posteriors(NamedTuple):
    """The posteriors of one code in all rows; precision is one over variance."""

    mean: Array
    log_var: Array
    precision: Array


def groups_of(v: Array, rows: Array) -> Groups:
    """Group the rows by each value of each factor."""
    sizes = v.max(axis=0) + 1
    labels = v + np.cumsum(sizes) - sizes
    members = np.argsort(labels.T.ravel(), kind="stable") % len(v)
    return Groups(members, np.cumsum(np.bincount(labels.ravel())), rows, labels[rows])


@compile_cached()
def information_of_code(drawn: Array, posteriors: Posteriors, groups: Groups) -> Array:
    """The mean of log q(z | v_k) - log q(z) over the drawn values of one code, for each factor."""
    (samples, n_factors), n = groups.own.shape, len(posteriors.mean)
    told, density, spare = np.zeros(n_factors), np.empty(n), np.empty(n)
    for s in range(samples):
        whole = _densities(drawn[s], groups.drawn[s], posteriors, density, spare) / n
        for k in range(n_factors):
            label, given = groups.own[s, k], 0.0
            start, end = (groups.ends[label - 1] if label else 0), groups.ends[label]
            for i in groups.members[start:end]:
                given += density[i]
            told[k] += np.log(given / (end - start)) - np.log(whole)
    return told / samples


@compile_cached(fastmath=True)
def _densities(z: float, own: int, posteriors: Posteriors, out: Array, power: Array) -> float:
    """Density of z under each row's posterior, divided by that under its own row's; their sum.

    exp is 2^k times a Taylor polynomial, which the compiler vectorises.
    """
    mean, log_var, precision = posteriors
    bits = power.view(np.int64)  # a double is 2^k when its exponent bits hold k + 1023
    known = (z - mean[own]) ** 2 * precision[own] + log_var[own]
    for i in range(len(mean)):
        x = (known - (z - mean[i]) ** 2 * precision[i] - log_var[i]) / 2
        scaled = min(max(x, -700.0), 700.0) * 1.4426950408889634
        k = np.int32(scaled)
        y = (scaled - k) * 0.6931471805599453
        bits[i] = (np.int64(k) + 1023) << 52
        total = 1 / 6227020800
        for n in (479001600, 39916800, 3628800, 362880, 40320, 5040, 720, 120, 24, 6, 2, 1, 1):
            total = total * y + 1 / n
        out[i] = total
    whole = 0.0
    for i in range(len(mean)):
        out[i] *= power[i]
        whole += out[i]
    return whole
