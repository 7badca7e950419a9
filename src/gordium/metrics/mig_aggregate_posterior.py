"""The mutual information gap as Chen et al. 2018 estimate it, from the aggregate posterior."""

import numpy as np
from numpy.typing import ArrayLike

from gordium.arrays import Floats
from gordium.checks import check_least
from gordium.metrics._arrays import as_array
from gordium.metrics._checks import check_pair
from gordium.metrics._information import information_gap
from gordium.metrics._kinds import Kinds

LARGEST = 500  # the exponential of a greater logarithm may not be squared


def mig_aggregate_posterior(
    codes: ArrayLike,
    factors: ArrayLike,
    *,
    seed: int = 0,
    log_variances: ArrayLike,
    samples: int = 1000,
    kinds: Kinds | None = None,
) -> float:
    """How much more the best code tells of a factor than the runner-up does: 0 to 1.

    The mean over factors k of (I(z_a; v_k) - I(z_b; v_k)) / H(v_k), with I(z_j; v_k) = H(z_j) -
    H(z_j | v_k) of the aggregate posteriors: q(z_j) is the mean of the Gaussians of all rows,
    with means `codes` and `log_variances`, q(z_j | v_k) that over the rows of the value. The
    entropies are means over `samples` rows, chosen without replacement, of one drawn code each.
    Real factors are cut into 20 bins of equally many rows.
    """
    from gordium.metrics._posterior_kernels import Posteriors, groups_of, information_of_code

    z, v = check_pair(codes, factors, kinds=kinds, min_codes=2, reals="binned")
    log_var = _check_log_variances(log_variances, z.shape)
    check_least(1, samples=samples)
    rng = np.random.default_rng(seed)
    rows = rng.permutation(len(z))[:samples]
    noise = rng.standard_normal((len(rows), z.shape[1]))
    z = z.astype(np.float64)
    drawn = z[rows] + np.exp(log_var[rows] / 2) * noise
    groups = groups_of(v.labels, rows)
    columns = zip(drawn.T, z.T, log_var.T, np.exp(-log_var).T, strict=True)
    shared = [
        information_of_code(code.copy(), Posteriors(*map(np.ascontiguousarray, posteriors)), groups)
        for code, *posteriors in columns
    ]
    return information_gap(np.array(shared), v)


def _check_log_variances(log_variances: ArrayLike, shape: tuple[int, ...]) -> Floats:
    log_var: Floats = as_array(log_variances, "log_variances").astype(np.float64)
    if log_var.shape != shape:
        raise ValueError(f"log_variances must be as codes, {shape}; got {log_var.shape}.")
    if not (np.abs(log_var) <= LARGEST).all():
        raise ValueError(
            f"log_variances must lie between -{LARGEST} and {LARGEST}; the model may have diverged."
        )
    return log_var
