"""The FactorVAE score (Kim and Mnih 2018), from one table of codes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gordium.arrays import Integers
from gordium.checks import check_least
from gordium.metrics._held_out import all_rows
from gordium.metrics._interventions import table_of
from gordium.metrics._kinds import Kinds


class FactorVAEScore(NamedTuple):
    """Accuracy in the rows to test and in the rows to fit, and how many codes could vote."""

    score: float
    train: float
    active_codes: int


def factor_vae_score(  # noqa: PLR0913 - all by keyword
    codes: ArrayLike,
    factors: ArrayLike,
    *,
    seed: int = 0,
    test: tuple[ArrayLike, ArrayLike] | None = None,
    batch: int = 64,
    threshold: float = 0.05,
    kinds: Kinds | None = None,
) -> FactorVAEScore:
    """How surely the code that varies least names the factor that is held: 0 to 1.

    A vote: hold one factor, draw `batch` rows, take the code with the least variance relative to
    that over all rows; a code stands for the factor that it was voted for most in 10,000 votes,
    and the score is how often that is right in 5,000 more. Codes with a standard deviation below
    `threshold` do not vote. Groups are drawn from the rows of the table that share the value, as
    from a data set; those scored come from `test`, if given. A real factor is held within one of
    20 bins of equally many rows.
    """
    check_least(2, batch=batch)
    rows = all_rows(codes, factors, test, kinds=kinds)
    variance = rows.codes.var(axis=0, ddof=1, dtype=np.float64)
    # A dead code has no relative variance, whatever the threshold.
    active = (np.sqrt(variance) >= threshold) & (rows.codes != rows.codes[0]).any(axis=0)
    if not active.any():
        return FactorVAEScore(0.0, 0.0, 0)
    rng = np.random.default_rng(seed)
    scale = np.sqrt(variance[active])
    fit = _votes(rows.codes[:, active] / scale, rows.factors, rng, 10_000, batch)
    scored = _votes(rows.test_codes[:, active] / scale, rows.test_factors, rng, 5_000, batch)
    named = fit.argmax(axis=0), np.arange(fit.shape[1])
    accuracy = scored[named].sum() / scored.sum()
    return FactorVAEScore(float(accuracy), float(fit[named].sum() / fit.sum()), int(active.sum()))


def _votes(
    z: NDArray[np.floating], v: Integers, rng: np.random.Generator, points: int, batch: int
) -> Integers:
    """How often each code (column) varied least while each factor (row) was held."""
    votes = np.zeros((v.shape[1], z.shape[1]), dtype=np.int64)
    for group in table_of(v).groups(rng, points, batch):
        np.add.at(votes, (group.held, z[group.partners].var(axis=1).argmin(axis=1)), 1)
    return votes
