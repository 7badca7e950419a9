"""Locatello's Theorem 1 applied to codes: the scores fall, the distribution stays."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import norm, rankdata

from gordium.theory.entangling_maps import householder


def entangle(codes: ArrayLike, *, alpha: float = 0.25) -> NDArray[np.floating]:
    """Codes (n, d) turned by f = g^-1 h^-1 A h g, with the codes' own marginals for g.

    Each column keeps its values, in another order; each now depends on all columns. If the
    columns were independent they still are, so that nothing that sees codes alone tells old
    from new; the theorem says nothing of dependent ones. `alpha` chooses A, see `householder`.
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
            f"code columns {few} repeat few values in {n_rows} different rows; the theorem needs "
            "codes with a density. Add noise within each value's cell, or drop dead columns."
        )
