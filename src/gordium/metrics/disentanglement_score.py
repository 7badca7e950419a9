"""The disentanglement score of Rolinek et al. 2019, by nearest neighbours on single codes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from gordium.arrays import Floats, Integers
from gordium.metrics._checks import check_continuous
from gordium.metrics._kinds import Kinds, state_kinds
from gordium.metrics._rows import warn_of_rows

NEIGHBOURS = 5


def disentanglement_score(  # noqa: PLR0913 - all by keyword
    codes: ArrayLike,
    factors: ArrayLike,
    *,
    seed: int = 0,
    test: tuple[ArrayLike, ArrayLike] | None = None,
    nominal: Sequence[int] = (),
    bounded: bool = False,
    kinds: Kinds | None = None,
) -> float:
    """How much better the best code predicts a factor than the runner-up, against a constant.

    The mean over factors i of (A_i(1) - A_i(2)) / M_i: A_ij is what 5 nearest neighbours on code
    j gain, std(w_i) - rmse_ij with M_i = std(w_i), or for the factors `nominal`, here or in
    `kinds`, the accuracy, with M_i that of the commonest class. As written it exceeds 1, for a
    useless code gains less than nothing and accuracy is not measured from M_i. `bounded` counts
    losses as 0 and takes accuracy above the commonest class, over what is left above it: 0 to 1.
    Nothing is drawn: equal neighbours are taken in the order of the rows.
    """
    z, v, z_test, v_test = _split(codes, factors, test)
    if not set(nominal) <= set(range(v.shape[1])):
        raise ValueError(
            f"nominal must hold columns of factors, 0 to {v.shape[1] - 1}; got {tuple(nominal)}."
        )
    said = state_kinds(factors, kinds)
    unordered = {*nominal, *(k for k, kind in enumerate(said) if kind == "nominal")}
    sorting = np.argsort(z, axis=0, kind="stable")
    near = [
        order[_find_nearest(column[order], queries)]
        for column, order, queries in zip(z.T, sorting.T, z_test.T, strict=True)
    ]
    gaps = []
    for k, (known, true) in enumerate(zip(v.T, v_test.T, strict=True)):
        gain = _classify if k in unordered else _regress
        gains, most = gain([known[rows] for rows in near], known, true, bounded)
        second, best = np.sort(gains)[-2:]
        gaps.append((best - second) / most)
    return float(np.mean(gaps))


def _split(
    codes: ArrayLike, factors: ArrayLike, test: tuple[ArrayLike, ArrayLike] | None
) -> tuple[Floats, Floats, Floats, Floats]:
    z, v = check_continuous(codes, factors, min_codes=2)
    kept = len(z) if test else len(z) - len(z) // 5
    z_test, v_test = check_continuous(*test, min_codes=2) if test else (z[kept:], v[kept:])
    if (z_test.shape[1], v_test.shape[1]) != (z.shape[1], v.shape[1]):
        raise ValueError(
            f"test must hold {z.shape[1]} codes and {v.shape[1]} factors; "
            f"got {z_test.shape} and {v_test.shape}."
        )
    if kept < NEIGHBOURS or not len(z_test):
        raise ValueError(f"at least {NEIGHBOURS + 1} samples are needed; got {len(z)}.")
    if not test:
        warn_of_rows(np.asarray(codes), np.asarray(factors))
    return z[:kept], v[:kept], z_test, v_test


def _find_nearest(values: Floats, queries: Floats) -> Integers:
    """Positions of the nearest of sorted values: (n_queries, NEIGHBOURS), neighbours in a row."""
    padded = np.concatenate([[-np.inf], values, [np.inf]])
    end = np.searchsorted(values, queries)
    start = end - 1
    for _ in range(NEIGHBOURS):
        is_right = padded[end + 1] - queries <= queries - padded[start + 1]
        end, start = end + is_right, start - ~is_right
    return start[:, None] + 1 + np.arange(NEIGHBOURS)


def _regress(
    near: list[Floats], known: Floats, true: Floats, bounded: bool
) -> tuple[Floats, float]:
    spread = float(np.std(true))
    if spread == 0:
        raise ValueError("a factor takes one value in all test samples; draw more samples.")
    errors = [np.sqrt(np.mean((rows.mean(axis=1) - true) ** 2)) for rows in near]
    gains = spread - np.array(errors)
    return (gains.clip(min=0) if bounded else gains), spread


def _classify(
    near: list[Floats], known: Floats, true: Floats, bounded: bool
) -> tuple[Floats, float]:
    values, counts = np.unique(known, return_counts=True)
    most = float(np.mean(true == values[counts.argmax()]))
    if most in (0, 1):
        raise ValueError(
            f"the commonest value of a nominal factor makes up {most:.0%} of the test samples; "
            "draw more samples."
        )
    votes = [(rows[:, :, None] == values).sum(axis=1) for rows in near]
    gains = np.array([np.mean(values[vote.argmax(axis=1)] == true) for vote in votes])
    return ((gains - most).clip(min=0), 1 - most) if bounded else (gains, most)
