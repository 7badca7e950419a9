"""What the exhibits of Locatello et al. 2019 share: their study, its tables and its notes."""

from collections.abc import Callable, Iterable, Iterator, Mapping

import pandas as pd

from gordium.exhibits.base import Made, Place
from gordium.exhibits.locatello2019.names import METRICS
from gordium.exhibits.studies import Studied, complete_named
from gordium.report.figures import charts
from gordium.report.frame import pivot_runs
from gordium.report.statistics.correlation import rank
from gordium.report.statistics.student import Estimate

STUDY = "locatello2019"


def datasets(found: Studied) -> Iterator[tuple[str, pd.DataFrame]]:
    """The usable rows of each data set, in the order of the study."""
    for name, group in found.usable.groupby("dataset", sort=False):
        yield str(name), group


def pivot_metrics(group: pd.DataFrame) -> pd.DataFrame:
    """A line for each run: its method, strength and seed, then a column for each metric."""
    runs = group.drop_duplicates("run").set_index("run")[["method", "strength", "seed"]]
    return runs.join(pivot_runs(group))


def show_study(show: Callable[[Studied], Made]) -> Callable[[Place], Made]:
    """Return a `make` that completes the study and gives it to `show`."""
    return lambda place: show(complete_named(place, STUDY))


def correlate(runs: pd.DataFrame, scores: Iterable[str]) -> dict[tuple[str, str], Estimate]:
    """Rank correlations of scores with metrics, if the runs have both."""
    return {
        (score, metric): rank(runs[score], runs[ours])
        for score in scores
        for metric, ours in METRICS.items()
        if score in runs and ours in runs
    }


def draw_correlations(
    table: Mapping[tuple[str, str], Estimate], titles: Mapping[str, str]
) -> bytes:
    """Draw a table with a row for each score, by its title, and a column for each metric."""
    scores = list(dict.fromkeys(score for score, _ in table))
    metrics = list(dict.fromkeys(metric for _, metric in table))
    values = [[table[s, m].mean for m in metrics] for s in scores]
    return charts.heatmap(values, [titles[s] for s in scores], metrics)


def notes(found: Studied, theirs: str) -> list[str]:
    """What to know of the study, for the notes below each exhibit; `theirs` is the paper's data."""
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
