"""Theorem 1 of Locatello et al. 2019: bijections that entangle but keep the distribution."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import norm, rankdata

from gordium.arrays import Floats


class Marginal(Protocol):
    """A distribution of real numbers with a density, such as a frozen one of scipy.stats.

    If it has `sf` and `isf` too, they are used above the median, where they are more precise.
    """

    def cdf(self, x: Any) -> Any:
        """The probability of at most x."""

    def ppf(self, q: Any) -> Any:
        """The number below which a fraction q of the distribution lies."""


def householder(n_dims: int, *, alpha: float = 0.25) -> Floats:
    """The orthogonal matrix A = I - 2 v v^T of the proof, none of whose entries is zero.

    v_1 = sqrt(alpha), the others sqrt((1 - alpha) / (d - 1)), for any alpha between 0 and 1/2;
    A_ij = -2 v_i v_j for i != j (the proof drops the 2).
    """
    if n_dims < 2:
        raise ValueError(f"entangling needs at least 2 dimensions; got {n_dims}.")
    if not 0 < alpha < 0.5:
        raise ValueError(f"alpha must lie between 0 and 0.5; got {alpha}.")
    v = np.full(n_dims, np.sqrt((1 - alpha) / (n_dims - 1)))
    v[0] = np.sqrt(alpha)
    return np.eye(n_dims) - 2 * np.outer(v, v)


@final
@dataclass(frozen=True, eq=False)
class Entangling:
    """f = g^-1 h^-1 A h g with the marginals' cdfs g, the normal quantile function h, orthogonal A.

    If z has these independent marginals, so has f(z); yet every coordinate of f(z) depends on
    every coordinate of z, if A has no zeros. Rows are samples.
    """

    marginals: Sequence[Marginal]
    matrix: Floats

    def __post_init__(self) -> None:
        d = len(self.marginals)
        orthogonal = np.shape(self.matrix) == (d, d) and np.allclose(
            self.matrix @ np.transpose(self.matrix), np.eye(d)
        )
        if not orthogonal:
            raise ValueError(
                f"matrix must be orthogonal, {d} x {d} for {d} marginals; "
                f"got shape {np.shape(self.matrix)}."
            )

    def __call__(self, z: ArrayLike) -> Floats:
        return self._map(_from_normal, self._to_normal(z) @ self.matrix.T)

    def inverse(self, z: ArrayLike) -> Floats:
        """The sources that were mapped to `z`."""
        return self._map(_from_normal, self._to_normal(z) @ self.matrix)

    def jacobian(self, z: ArrayLike) -> Floats:
        """d f_i / d z_j at each row, (n, d, d); the marginals need a `pdf`.

        By the chain rule it is A_ij r_j(z) / r_i(f(z)), where r = p / phi(h g) is the slope of h g.
        """
        y = self._to_normal(z)
        inward = self._slopes(np.asarray(z, dtype=np.float64), y)
        outward = self._slopes(self(z), y @ self.matrix.T)
        return self.matrix * inward[:, None, :] / outward[:, :, None]

    def _to_normal(self, z: ArrayLike) -> Floats:
        points = np.asarray(z, dtype=np.float64)
        if points.ndim != 2 or points.shape[1] != len(self.marginals):
            raise ValueError(
                f"z must be (n, {len(self.marginals)}), a column for each marginal; "
                f"got {points.shape}."
            )
        return self._map(_to_normal, points)

    def _slopes(self, z: Floats, y: Floats) -> Floats:
        return self._map(lambda marginal, column: marginal.pdf(column), z) / norm.pdf(y)

    def _map(self, function: Callable[[Any, Floats], Floats], table: Floats) -> Floats:
        """Apply a function of a marginal and its column to all of them."""
        columns = zip(self.marginals, table.T, strict=True)
        return np.column_stack([function(marginal, column) for marginal, column in columns])


def _to_normal(marginal: Marginal, z: Floats) -> Floats:
    below = norm.ppf(marginal.cdf(z))
    survival = getattr(marginal, "sf", None)
    return below if survival is None else np.where(below > 0, norm.isf(survival(z)), below)


def _from_normal(marginal: Marginal, y: Floats) -> Floats:
    below = marginal.ppf(norm.cdf(y))
    upper = getattr(marginal, "isf", None)
    return below if upper is None else np.where(y > 0, upper(norm.sf(y)), below)


def entangle(codes: ArrayLike, *, alpha: float = 0.25) -> NDArray[np.floating]:
    """Apply f = g^-1 h^-1 A h g to codes (n, d), with the codes' own marginals for g.

    Each column keeps its values, in another order, but now depends on all columns. If the columns
    were independent, they still are, so the codes alone do not tell the old from the new; the
    theorem says nothing about dependent columns. `alpha` chooses A, see `householder`.
    """
    z = np.asarray(codes)
    _check(z)
    n = len(z)
    normal = norm.ppf((rankdata(z, axis=0) - 0.5) / n)
    turned = normal @ householder(z.shape[1], alpha=alpha).T
    # Equal rows come out equal up to rounding, which must not give them different ranks.
    places = rankdata(np.round(turned, 9), axis=0) - 1
    columns = zip(places.T, np.sort(z, axis=0).T, strict=True)
    moved = [np.interp(place, np.arange(n), ordered) for place, ordered in columns]
    return np.column_stack(moved).astype(z.dtype if z.dtype.kind == "f" else np.float64)


def _check(z: NDArray[np.generic]) -> None:
    if z.ndim != 2 or z.shape[1] < 2 or len(z) < 2:
        raise ValueError(
            f"codes must be (n, d) with at least 2 samples and 2 codes; got {z.shape}."
        )
    if z.dtype.kind not in "fiu" or not np.isfinite(z).all():
        raise ValueError("codes must be finite real numbers.")
    n_rows = len(np.unique(z, axis=0))
    few = [j for j, column in enumerate(z.T) if 2 * len(np.unique(column)) < n_rows]
    if few:
        raise ValueError(
            f"code columns {few} take few values in {n_rows} different rows; the theorem needs "
            "codes with a density. Add a little noise to discrete codes, or drop constant ones."
        )
