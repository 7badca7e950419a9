"""Unsupervised disentanglement ranking (Duan et al. 2020): do trained models agree?"""

from collections.abc import Sequence
from itertools import permutations
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.arrays import Floats
from gordium.metrics._checks import check_codes
from gordium.metrics._correlation import absolute_correlation, standardise

Mask = NDArray[np.bool_]

ORIGINAL_THRESHOLD = 0.01


class UDR(NamedTuple):
    """One score per model, and that of each (source, target) of which it is the median."""

    scores: Floats
    pairwise: Floats


def udr(
    representations: Sequence[ArrayLike],
    *,
    kl: ArrayLike | None = None,
    method: Literal["lasso", "spearman"] = "lasso",
    seed: int = 0,
    threshold: float = ORIGINAL_THRESHOLD,
    original: Literal["filtered", "unfiltered"] | None = None,
) -> UDR:
    """How far codes of one model match those of the others, one to one: 0 to 1 per model.

    All models encode the same rows. R is |Lasso(0.1)| from the codes of i to those of j, or
    |Spearman's correlation|; with r its greatest entry in a row or column, the pair scores the
    sum of r^2 / sum R over rows and columns divided by d_i + d_j, and model j has the median
    over i. With `kl` (models, codes) only codes above `threshold` take part. Lasso shrinks a
    perfect match to 0.9. `original` does as the authors' code: low codes are set to 0 at 0.01
    whatever the threshold and, "filtered", dropped after the fit; rows and columns are averaged
    apart; a dead code left in makes Spearman's score 0. Nothing is drawn.
    """
    if method not in ("lasso", "spearman"):
        raise ValueError(f"method must be lasso or spearman; got {method!r}.")
    if original not in (None, "filtered", "unfiltered"):
        raise ValueError(f"original must be None, filtered or unfiltered; got {original!r}.")
    models = _check_models(representations)
    information = _check_kl(kl, models)
    keep = [row > threshold for row in information]
    if original:
        low = [row <= ORIGINAL_THRESHOLD for row in information]
        models = [np.where(mask, 0, model) for mask, model in zip(low, models, strict=True)]
    else:
        models = [model[:, mask] for model, mask in zip(models, keep, strict=True)]
    pairwise = _pairs(models, keep, method, original)
    others = ~np.eye(len(models), dtype=bool)
    scores = [np.median(pairwise[others[:, j], j]) for j in range(len(models))]
    return UDR(np.array(scores), pairwise)


def _pairs(models: list[Floats], keep: list[Mask], method: str, original: str | None) -> Floats:
    out = np.zeros((len(models), len(models)))
    spoilt = original == "unfiltered" and method == "spearman"
    for i, j in permutations(range(len(models)), 2):
        if spoilt and (_has_dead(models[i]) or _has_dead(models[j])):
            continue  # one correlation that is not a number spoils all greatest ones
        match = _match(models[i], models[j], method)
        if original == "filtered":
            match = match[np.ix_(keep[i], keep[j])]
        if match.size:
            shares = _shares(match), _shares(match.T)
            apart = (shares[0].mean() + shares[1].mean()) / 2
            out[i, j] = apart if original else np.concatenate(shares).mean()
    return out


def _has_dead(model: Floats) -> bool:
    return bool((model == model[0]).all(axis=0).any())


def _match(source: Floats, target: Floats, method: str) -> Floats:
    """R: (codes of the source, codes of the target)."""
    if not source.shape[1] or not target.shape[1]:
        return np.zeros((source.shape[1], target.shape[1]))
    if method == "spearman":
        return absolute_correlation(source, target, rank=True)
    from sklearn.linear_model import Lasso

    coefficients = Lasso(alpha=0.1).fit(standardise(source), standardise(target)).coef_
    return np.abs(coefficients).reshape(target.shape[1], source.shape[1]).T


def _shares(match: Floats) -> Floats:
    """Per column, r^2 over the sum of its entries; 0 for one that matches nothing."""
    total = match.sum(axis=0)
    return match.max(axis=0) ** 2 / np.where(total > 0, total, 1)


def _check_models(representations: Sequence[ArrayLike]) -> list[Floats]:
    models = [check_codes(codes).astype(np.float64) for codes in representations]
    shapes = [model.shape for model in models]
    if len(models) < 2 or len({rows for rows, _ in shapes}) > 1:
        raise ValueError(
            "representations must be two or more arrays (n_samples, n_codes) of the same rows; "
            f"got {shapes}."
        )
    return models


def _check_kl(kl: ArrayLike | None, models: list[Floats]) -> list[Floats]:
    if kl is None:
        return [np.full(model.shape[1], np.inf) for model in models]
    rows = [np.asarray(row, dtype=np.float64) for row in list(np.asarray(kl, dtype=object))]
    if [row.shape for row in rows] != [model.shape[1:] for model in models]:
        raise ValueError(
            "kl must hold one number for each code of each model, "
            f"{[model.shape[1] for model in models]}; got {[row.shape for row in rows]}."
        )
    return rows
