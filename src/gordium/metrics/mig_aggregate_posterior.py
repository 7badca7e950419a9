"""The mutual information gap as Chen et al. 2018 estimate it, from the aggregate posterior."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from gordium.metrics._checks import check_pair
from gordium.metrics._information import information_gap

Table = NDArray[np.float64]
Labels = NDArray[np.int64]
Array = NDArray[Any]


class Groups(NamedTuple):
    """The rows of each label, up to `ends` of it; the rows drawn, and their labels."""

    members: Array
    ends: Array
    drawn: Array
    own: Array


class Posteriors(NamedTuple):
    """Those of all rows for one code; precision is one over variance."""

    mean: Array
    log_var: Array
    precision: Array


def mig_aggregate_posterior(
    codes: ArrayLike,
    factors: ArrayLike,
    *,
    seed: int = 0,
    log_variances: ArrayLike,
    samples: int = 1000,
) -> float:
    """How much more the best code tells of a factor than the runner-up does: 0 to 1.

    The mean over factors k of (I(z_a; v_k) - I(z_b; v_k)) / H(v_k), with I(z_j; v_k) = H(z_j) -
    H(z_j | v_k) of the aggregate posteriors: q(z_j) is the mean of the Gaussians of all rows,
    with means `codes` and `log_variances`, q(z_j | v_k) that over the rows of the value. The
    entropies are means over `samples` rows, chosen without replacement, of one drawn code each.
    """
    z, v = check_pair(codes, factors, min_codes=2)
    log_var = _check_log_variances(log_variances, z.shape)
    if samples < 1:
        raise ValueError(f"samples must be at least 1; got {samples}.")
    rng = np.random.default_rng(seed)
    rows = rng.permutation(len(z))[:samples]
    noise = rng.standard_normal((len(rows), z.shape[1]))
    z = z.astype(np.float64)
    drawn = z[rows] + np.exp(log_var[rows] / 2) * noise
    groups = _groups(v, rows)
    columns = zip(drawn.T, z.T, log_var.T, np.exp(-log_var).T, strict=True)
    shared = [
        _information(code.copy(), Posteriors(*map(np.ascontiguousarray, posteriors)), groups)
        for code, *posteriors in columns
    ]
    return information_gap(np.array(shared), v)


def _groups(v: Labels, rows: Labels) -> Groups:
    sizes = v.max(axis=0) + 1
    labels = v + np.cumsum(sizes) - sizes
    members = np.argsort(labels.T.ravel(), kind="stable") % len(v)
    return Groups(members, np.cumsum(np.bincount(labels.ravel())), rows, labels[rows])


def _check_log_variances(log_variances: ArrayLike, shape: tuple[int, ...]) -> Table:
    log_var: Table = np.asarray(log_variances, dtype=np.float64)
    if log_var.shape != shape:
        raise ValueError(f"log_variances must be as codes, {shape}; got {log_var.shape}.")
    if not np.isfinite(log_var).all():
        raise ValueError("log_variances must be finite; the model may have diverged.")
    return log_var


@njit(cache=True)
def _information(drawn: Array, posteriors: Posteriors, groups: Groups) -> Array:
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


@njit(cache=True, fastmath=True)
def _densities(z: float, own: int, posteriors: Posteriors, out: Array, power: Array) -> float:
    """Density of z under each row's posterior as a multiple of that of its own row; their sum.

    exp is 2^k times a Taylor polynomial: loops that the compiler widens.
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
