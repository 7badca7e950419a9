"""Turned copies of an encoder: the same codes in another basis.

Ours: a change needs models whose axes lie across the factors. Zietlow et al. 2021 (4.4) take
trained runs of low MIG; where such runs differ from the others in more than a turn, copies of the
disentangled ones that differ in nothing else stand for them. A rotation leaves the prior N(0, I)
as it is, and the codes' information too; what the copy pays for is that its noise must be diagonal
in the turned basis (Rolinek et al. 2019).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import special_ortho_group

Floats = NDArray[np.float64]


def draw_rotation(dimensions: int, rng: np.random.Generator) -> Floats:
    """A rotation matrix, uniformly distributed over all of them."""
    return np.asarray(special_ortho_group.rvs(dimensions, random_state=rng))


def turn(codes: ArrayLike, log_variances: ArrayLike, rotation: Floats) -> tuple[Floats, Floats]:
    """Posterior means and log-variances in the turned basis.

    Of all diagonal Gaussians q, the copy's is the one of least KL(q || p) to the turned posterior
    p: its precisions are the diagonal of p's precision matrix R diag(1 / variances) R^T.
    """
    precisions = np.exp(-np.asarray(log_variances, float)) @ (rotation**2).T
    return np.asarray(codes, float) @ rotation.T, -np.log(precisions)
