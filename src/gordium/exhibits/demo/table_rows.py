"""What the demo's repetitions say of the cells of Zietlow et al. 2021, Tables 1 and 3-5."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from gordium.exhibits.published import Published
from gordium.exhibits.zietlow2021.claims import (
    MODIFIED,
    NOISE,
    ORIGINAL,
    pair_by_change,
    with_change,
)
from gordium.report.figures.published_beside import Pair, draw_beside
from gordium.report.statistics.student import mean_interval, paired_interval, ratio_interval
from gordium.table_text import markdown_lines

METRICS = {  # what each table is of
    "zietlow2021-table1": "mig",
    "zietlow2021-table3": "dci",
    "zietlow2021-table4": "factor_vae_score",
    "zietlow2021-table5": "sap",
}
INTRODUCTION = """\
**Over repetitions of the demo** (Shapes3D, two factors; a change and a draw of noise in each).
Means of `n` repetitions with Student's 95 % interval over them, the seeds of each averaged first;
"modified / original" is the ratio of the means, with the jackknife's. "within: ±" is half of the
interval of modified - noise over the seeds of a single repetition, by their spread in all.
Published are the means on original, modified and noisy images. For methods but the beta-VAE the
changes of repetitions 4 to 9 were [made again](../../docs/repetitions.md#made-again). Claims that
say so below are judged by these repetitions in [the demo](../demo/table.md)."""
PICTURE = "repetitions.png"  # of a table that repetitions have more than one method of
ARMS = (ORIGINAL, MODIFIED, NOISE)
HEAD = (
    "method", "n", "published", *ARMS, "modified - noise", "within: ±", "seeds",
    "modified / original",
)  # fmt: skip
HEAD_WITHIN = ("repetition", "seeds", *ARMS, "modified - noise", "modified / original")
FEW = 3  # with fewer seeds a repetition has no interval of its own
Cells = list[tuple[str, ...]]


def select_table(
    exhibit: str, fresh: pd.DataFrame, more: Mapping[str, pd.DataFrame]
) -> pd.DataFrame:
    """The rows of repetitions that a table is of, with their column `repetition`."""
    frame = pd.concat([fresh, more["methods"], more["scores"]], ignore_index=True)
    return frame[(frame["metric"] == METRICS[exhibit]) & frame["variant"].isin(ARMS)]


def describe_table(frame: pd.DataFrame, theirs: Published) -> list[str]:
    """The repetitions in the form of a table, and one by one where their seeds are enough."""
    lines = [INTRODUCTION, "", *markdown_lines(HEAD, tabulate(frame, theirs))]
    for method, own in frame.groupby("method", sort=False):
        if body := tabulate_within(own):
            text = f"The {method} by repetition, with intervals over the seeds of each:"
            lines += ["", text, "", *markdown_lines(HEAD_WITHIN, body)]
    if frame["method"].nunique() > 1:
        lines += ["", f"![Means of repetitions beside the published ones]({PICTURE})"]
    return lines


def draw_table(frame: pd.DataFrame, theirs: Published, label: str) -> bytes:
    """Means over repetitions, with their intervals, beside the published means and deviations."""
    cells = {}
    for (method, variant), own in with_change(frame).groupby(["method", "variant"], sort=False):
        found = mean_interval(own.groupby("change")["value"].mean())
        there = theirs[method][f"shapes3d/{variant}"]
        pair = Pair(found.mean, found.low, found.high, there["mean"], there["std"])
        cells[str(method), str(variant)] = pair
    n = frame["repetition"].nunique()
    return draw_beside({f"shapes3d, two factors, {n} repetitions": cells}, label=label)


def tabulate(frame: pd.DataFrame, theirs: Published) -> Cells:
    """A line for each method: means with intervals over repetitions, and the seeds' own spread."""
    return [
        _line(method, with_change(own), theirs[method])
        for method in theirs
        if len(own := frame[frame["method"] == method])
    ]


def tabulate_within(frame: pd.DataFrame) -> Cells:
    """A line for each repetition of one method, with intervals over its seeds.

    Where the repetitions have fewer than three seeds there are no lines.
    """
    body = []
    for number, own in frame.groupby("repetition"):
        table = own.pivot_table(index="seed", columns="variant", values="value")[[*ARMS]].dropna()
        if len(table) < FEW:
            continue
        gap = paired_interval(table[NOISE], table[MODIFIED])
        means = (f"{table[arm].mean():.2f}" for arm in ARMS)
        kept = ratio_interval(table[ORIGINAL], table[MODIFIED])
        body.append((str(number), str(len(table)), *means, str(gap), str(kept)))
    return body


def half_within(frame: pd.DataFrame) -> float:
    """Half of a 95 % interval of modified minus noise over the seeds of one repetition.

    The variance of a seed's difference is that of all repetitions together, each about its mean.
    """
    table = frame.pivot_table(index=["change", "seed"], columns="variant", values="value")
    gaps = (table[MODIFIED] - table[NOISE]).dropna()
    own = gaps.groupby("change")
    free = len(gaps) - own.ngroups
    if free == 0:
        return np.nan
    error = np.sqrt(float((own.var(ddof=0) * own.size()).sum()) / free)
    return float(stdtrit(free, 0.975) * error / np.sqrt(len(gaps) / own.ngroups))


def _line(
    method: str, own: pd.DataFrame, cells: Mapping[str, Mapping[str, float]]
) -> tuple[str, ...]:
    pairs = own.pivot_table(index="change", columns="variant", values="value")[[*ARMS]]
    seeds = own.groupby("change")["seed"].nunique()
    printed = " ".join(f"{cells[f'shapes3d/{arm}']['mean']:.2f}" for arm in ARMS)
    gap = paired_interval(*pair_by_change(own, NOISE, MODIFIED))
    kept = ratio_interval(pairs[ORIGINAL], pairs[MODIFIED])
    return (
        method, str(len(pairs)), printed, *(str(mean_interval(pairs[arm])) for arm in ARMS),
        str(gap), f"{half_within(own):.2f}", f"{seeds.min()}", str(kept),
    )  # fmt: skip
