"""How much of a score's variance do the method and its hyperparameter explain?"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from gordium.arrays import Floats, Integers
from gordium.report.frame import check_frame

OBJECTIVE = ("method",)
OBJECTIVE_AND_STRENGTH = ("method", "strength")


class Explained(NamedTuple):
    """R^2 of a fit, corrected for the number of cells and not, and what noise alone gives."""

    r2: float
    adjusted: float
    by_chance: float
    n: int
    n_cells: int


def variance_explained(frame: pd.DataFrame, factors: Sequence[str] = OBJECTIVE) -> pd.DataFrame:
    """`explain` each data set, variant and metric (Locatello, tables (a) and (b)).

    The cells are the Cartesian product of `factors`. What is left is due to the seed.
    """
    check_frame(frame)
    used = frame[np.isfinite(frame["value"])]
    keys = ["dataset", "variant", "metric"]
    used = used.assign(cell=used.groupby(list(factors), dropna=False).ngroup())
    lines = [
        (*key, *explain(group["value"].to_numpy(np.float64), group["cell"].to_numpy()))
        for key, group in used.groupby(keys, sort=False)
    ]
    return pd.DataFrame(lines, columns=[*keys, *Explained._fields])


def explain(values: Floats, cells: Integers) -> Explained:
    """R^2 of a least-squares fit of values to one categorical variable, whose cells are numbers.

    The fit is the mean of each cell: R^2 = 1 - sum (y - mean of its cell)^2 / sum (y - mean of
    all)^2. Not corrected for the number of cells, as in the paper: with k cells and n runs, noise
    alone gives `by_chance` = (k - 1) / (n - 1); `adjusted` = (r2 - by_chance) / (1 - by_chance)
    takes it away. What is undefined is NaN.
    """
    n, counts = len(values), np.bincount(cells)
    n_cells = int((counts > 0).sum())
    means = np.bincount(cells, values) / np.maximum(counts, 1)
    total = float(((values - values.mean()) ** 2).sum())
    r2 = 1 - float(((values - means[cells]) ** 2).sum()) / total if total > 0 else np.nan
    chance = (n_cells - 1) / (n - 1) if n > 1 else np.nan
    adjusted = (r2 - chance) / (1 - chance) if chance < 1 else np.nan
    return Explained(r2, adjusted, chance, n, n_cells)
