"""Angles between directions, and a score of how far factors are principal components."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linear_sum_assignment

from gordium.arrays import Floats
from gordium.geometry.local_pca import local_pca
from gordium.geometry.orthogonality import NEAR, matrix_distance
from gordium.geometry.random_distances import random_rotation_distances

CHANCE_DRAWS = 20_000
RANDOM_AXES = 100
FLOOR = 1e-3


def angles(first: ArrayLike, second: ArrayLike) -> Floats:
    """Angles in degrees, 0 to 90, between the columns of (n, p, a) and of (n, p, b): (n, a, b).

    Directions have no sign. Angles to a column of zeros are NaN.
    """
    a, b = (_unit(np.asarray(x, dtype=np.float64)) for x in (first, second))
    return np.degrees(np.arccos(np.minimum(1.0, np.abs(a.swapaxes(1, 2) @ b))))


def matched_angles(first: ArrayLike, second: ArrayLike) -> Floats:
    """The mean angle (n,) between the columns of (n, p, a) and those of (n, p, b) matched to them.

    Columns are matched one to one such that the sum of cosines is largest; a column of zeros is at
    90 degrees to all others.
    """
    table = np.nan_to_num(angles(first, second), nan=90.0)
    cosines = np.cos(np.radians(table))
    pairs = [linear_sum_assignment(cosine, maximize=True) for cosine in cosines]
    return np.array([angle[pair].mean() for angle, pair in zip(table, pairs, strict=True)])


def mean_angles(names: Sequence[str], units: ArrayLike, factors: ArrayLike) -> dict[str, float]:
    """Mean angles by name, such as `units_to_factors`, between changes (n, p, d) at n points.

    `units` are the changes that a decoder's units make, `factors` those that the data's factors
    make. In a name, `decoder` and `components` stand for the principal directions of the two.
    """
    sides = {
        "units": units,
        "factors": factors,
        "decoder": local_pca(units).directions,
        "components": local_pca(factors).directions,
    }
    pairs = {name: [sides[side] for side in name.split("_to_")] for name in names}
    return {name: float(matched_angles(*pair).mean()) for name, pair in pairs.items()}


def factor_distances(gram: ArrayLike, rng: np.random.Generator) -> Floats:
    """|V - P(V)|_F of each Gram matrix in (n, d, d), Rolinek et al. 2019 (29), with ties broken.

    Where singular values are equal (within 1 per cent), PCA has no preference within their space:
    there V is rotated at random, so that such points count as chance and not as what the
    eigensolver happens to return.
    """
    values, vectors = np.linalg.eigh(np.asarray(gram, dtype=np.float64))
    scale = np.sqrt(np.maximum(values, 0.0))
    tied = np.diff(scale, axis=1) <= NEAR * scale[:, 1:]
    for point in np.flatnonzero(tied.any(axis=1)):
        for group in _find_ties(tied[point]):
            vectors[point][:, group] = vectors[point][:, group] @ rotations(1, len(group), rng)[0]
    return matrix_distance(_with_axes(vectors))


@cache
def chance_distance(d: int) -> float:
    """The mean of |V - P(V)|_F over random rotations of d dimensions, from 20,000 draws."""
    return float(random_rotation_distances(d, n=CHANCE_DRAWS).mean())


def alignment_score(distances: Floats, d: int) -> float:
    """1 if factors are the principal components at every point; 0 at chance level or beyond."""
    return max(0.0, 1.0 - float(np.mean(distances)) / chance_distance(d))


def preference(gram: ArrayLike, rng: np.random.Generator) -> tuple[float, float]:
    """By how many nats local PCA prefers its axes to random axes, and to the factors.

    A VAE with latent axes Q pays sum_i log |J q_i| per point, which is least for the principal
    axes (Rolinek et al. 2019, Theorem 2). The first number is how much more random axes cost, 0
    if all variances are equal; the second is how much more the factors cost. Variances count as
    at least a thousandth of the mean one, so that no axis costs minus infinity.
    """
    g = np.asarray(gram, dtype=np.float64)
    d = g.shape[-1]
    floor = FLOOR * np.einsum("nii->ni", g).mean()
    least = np.log(np.maximum(np.linalg.eigvalsh(g), floor)).sum(axis=1).mean()
    own = np.log(np.maximum(np.einsum("nii->ni", g), floor)).sum(axis=1).mean()
    turned = [_cost(g, q, floor) for q in rotations(RANDOM_AXES, d, rng)]
    return float(np.mean(turned) - least) / 2, float(own - least) / 2


def _cost(g: Floats, q: Floats, floor: float) -> float:
    along = np.einsum("ai,nab,bi->ni", q, g, q, optimize=True)
    return float(np.log(np.maximum(along, floor)).sum(axis=1).mean())


def rotations(n: int, d: int, rng: np.random.Generator) -> Floats:
    """Draw orthogonal matrices (n, d, d), uniformly distributed."""
    q, r = np.linalg.qr(rng.standard_normal((n, d, d)))
    return q * np.sign(np.einsum("nii->ni", r))[:, None, :]


def _find_ties(tied: NDArray[np.bool_]) -> list[list[int]]:
    """Runs of two or more neighbouring values that are tied."""
    starts = np.flatnonzero(np.concatenate([[True], ~tied]))
    parts = np.split(np.arange(len(tied) + 1), starts[1:])
    return [part.tolist() for part in parts if len(part) > 1]


def _with_axes(vectors: Floats) -> Floats:
    """Symmetric matrices with these eigenvectors and the eigenvalues 1 to d."""
    d = vectors.shape[-1]
    return (vectors * np.arange(1.0, d + 1)) @ vectors.swapaxes(1, 2)


def _unit(x: Floats) -> Floats:
    lengths = np.linalg.norm(x, axis=1, keepdims=True)
    return x / np.where(lengths > 0, lengths, np.nan)
