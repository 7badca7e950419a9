"""What the exhibits of Locatello et al. 2019 share: the study, its metrics, and their notes."""

from collections.abc import Iterator

import pandas as pd

from gordium.exhibits.studies import Studied
from gordium.report.frame import pivot_runs

STUDY = "locatello2019"


def keep_usable(found: Studied) -> pd.DataFrame:
    """The rows of runs that did not fail."""
    return found.frame[~found.frame["failed"]]


def datasets(found: Studied) -> Iterator[tuple[str, pd.DataFrame]]:
    """The rows of each data set, in the order of the study."""
    for name, group in keep_usable(found).groupby("dataset", sort=False):
        yield str(name), group


def pivot_metrics(group: pd.DataFrame) -> pd.DataFrame:
    """One line a run, a column for each metric, after method, strength and seed."""
    runs = group.drop_duplicates("run").set_index("run")[["method", "strength", "seed"]]
    return runs.join(pivot_runs(group))


def notes(found: Studied, theirs: str) -> list[str]:
    """What to know of the study, below each of its exhibits."""
    study = found.study
    sizes = "; ".join(
        f"{images}, {len(study.seeds_on(name))} seeds" for name, images in found.images.items()
    )
    return [
        found.note,
        f"Here: {sizes}; {len(study.arms)} settings of {found.frame['method'].nunique()} methods, "
        f"steps {found.steps}. Published: {theirs}, all factors at 64 x 64, "
        "36 settings of 6 methods, 50 seeds, 300,000 steps.",
    ]
