"""The mutual information gap as Chen et al. 2018 estimate it, from the aggregate posterior."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.metrics._checks import check_pair
from gordium.metrics._information import information_gap

Table = NDArray[np.float64]
Labels = NDArray[np.int64]
ROWS = 512  # posteriors compared with all drawn codes at a time, to bound the memory


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
    parts = zip(drawn.T, z.T, log_var.T, strict=True)
    shared = np.array([_information(*part, rows, v) for part in parts])
    return information_gap(shared, v)


def _check_log_variances(log_variances: ArrayLike, shape: tuple[int, ...]) -> Table:
    log_var: Table = np.asarray(log_variances, dtype=np.float64)
    if log_var.shape != shape:
        raise ValueError(f"log_variances must be as codes, {shape}; got {log_var.shape}.")
    if not np.isfinite(log_var).all():
        raise ValueError("log_variances must be finite; the model may have diverged.")
    return log_var


def _information(drawn: Table, mean: Table, log_var: Table, rows: Labels, v: Labels) -> Table:
    """The mean of log q(z | v_k) - log q(z) over the drawn values of one code, for each factor."""
    sizes = v.max(axis=0) + 1
    offset = np.cumsum(sizes) - sizes
    labels = v + offset
    sums = _density_of_values(drawn, mean, log_var, labels, int(sizes.sum()))
    own = labels[rows]
    given = np.take_along_axis(sums, own, axis=1) / np.bincount(labels.ravel())[own]
    whole = sums[:, : sizes[0]].sum(axis=1, keepdims=True) / len(v)
    return np.mean(np.log(given) - np.log(whole), axis=0)


def _density_of_values(
    drawn: Table, mean: Table, log_var: Table, labels: Labels, n_labels: int
) -> Table:
    """Density of each drawn value, summed over the rows of each label, up to a factor of its own.

    That factor is the greatest density among the rows so far, which keeps the sums in range.
    """
    sums, peak = np.zeros((len(drawn), n_labels)), np.full((len(drawn), 1), -np.inf)
    for start in range(0, len(mean), ROWS):
        block = slice(start, start + ROWS)
        away = (drawn[:, None] - mean[block]) ** 2 * np.exp(-log_var[block])
        log = -(away + log_var[block]) / 2
        before, peak = peak, np.maximum(peak, log.max(axis=1, keepdims=True))
        member = np.eye(n_labels)[labels[block]].sum(axis=1)
        sums = sums * np.exp(before - peak) + np.exp(log - peak) @ member
    return sums
