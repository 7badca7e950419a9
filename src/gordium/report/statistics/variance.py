"""How much of a score's variance do the method and its hyperparameter explain?"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from gordium.report.frame import check_frame

OBJECTIVE = ("method",)
OBJECTIVE_AND_STRENGTH = ("method", "strength")


def variance_explained(frame: pd.DataFrame, factors: Sequence[str] = OBJECTIVE) -> pd.DataFrame:
    """R^2 of a least-squares fit to one categorical variable (Locatello, tables (a) and (b)).

    The variable is the Cartesian product of `factors`, so that the fit is the mean of each
    cell: R^2 = 1 - sum (y - mean of its cell)^2 / sum (y - mean of all)^2, for each data set,
    variant and metric. What is left is due to the seed. Not corrected for the number of cells,
    as in the paper: with k cells and n runs, noise alone gives (k - 1) / (n - 1), the column
    `by_chance`; `adjusted` = (r2 - by_chance) / (1 - by_chance) takes it away.
    """
    check_frame(frame)
    used = frame[np.isfinite(frame["value"])]
    keys = ["dataset", "variant", "metric"]
    cell = used.groupby([*keys, *factors], dropna=False)["value"]
    whole = used.groupby(keys)["value"]
    squares = used[keys].assign(
        within=(used["value"] - cell.transform("mean")) ** 2,
        total=(used["value"] - whole.transform("mean")) ** 2,
        cell=cell.ngroup(),
    )
    groups = squares.groupby(keys, sort=False)
    found = groups[["within", "total"]].sum()
    found["n"], found["n_cells"] = groups.size(), groups["cell"].nunique()
    return _shares(found).reset_index()


def _shares(sums: pd.DataFrame) -> pd.DataFrame:
    total = sums["total"].where(sums["total"] > 0)
    chance = ((sums["n_cells"] - 1) / (sums["n"] - 1)).where(sums["n"] > 1)
    r2 = 1 - sums["within"] / total
    adjusted = (r2 - chance) / (1 - chance).where(chance < 1)
    found = pd.DataFrame({"r2": r2, "adjusted": adjusted, "by_chance": chance})
    return found.join(sums[["n", "n_cells"]])
