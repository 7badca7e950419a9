"""Writes the README's table of the demo's repetitions, from results/demo/K/rows.csv.

python docs/figures/headline.py
"""

from pathlib import Path
from statistics import fmean

import pandas as pd

from gordium.exhibits.judging import judge_headline, read_repetitions
from gordium.report import mean_interval
from gordium.report.statistics.words import interval

ROOT = Path(__file__).resolve().parents[2]
README, RESULTS = ROOT / "README.md", ROOT / "results" / "demo"
BEGIN, END = "<!-- repetitions -->", "<!-- end of repetitions -->"
ARMS = ("original", "modified", "noise")


def block() -> str:
    """The table and what the rules say of it."""
    rows = read_repetitions(RESULTS)
    scores = rows[rows["metric"] == "mig"]
    means = scores.pivot_table(index="repetition", columns="variant", values="value")
    lines = [
        "| repetition | original images | modified, at most 0.175 a pixel | "
        "uniform noise of that size |",
        "|---|---|---|---|",
        *(_line(scores, number) for number in means.index),
        "| **mean of repetitions** | " + " | ".join(map(_mean, (means[a] for a in ARMS))) + " |",
        "| published, 10 seeds of one change | 0.60 ± 0.31 | 0.09 ± 0.14 | 0.66 ± 0.05 |",
    ]
    first, half, _ = judge_headline(rows)
    shares = [fmean(means[arm] / means["original"]) for arm in ("modified", "noise")]
    text = (
        f"Modified minus noise, by repetition: {interval(first.shown)} (95 %, n = {len(means)} "
        f"changes; {first.outcome}), {first.claim.note}; at most half of the original "
        f"{half.claim.note}; modified keeps {100 * shares[0]:.0f} % of the original, noise "
        f"{100 * shares[1]:.0f} %. {_asleep(rows)}"
    )
    return "\n".join([*lines, "", text])


def _line(scores: pd.DataFrame, number: int) -> str:
    own = scores[scores["repetition"] == number]
    cells = []
    for arm in ARMS:
        values = own.loc[own["variant"] == arm, "value"]
        each = " ".join(f"{value:.2f}" for value in values)
        cells.append(f"**{values.mean():.2f}** ({each})")
    return f"| {number} | " + " | ".join(cells) + " |"


def _mean(values: pd.Series) -> str:
    found = mean_interval(values)
    return f"**{found.mean:.2f}** [{found.low:.2f}, {found.high:.2f}]"


def _asleep(rows: pd.DataFrame) -> str:
    units = rows[(rows["metric"] == "mig") & rows["variant"].isin(ARMS)]
    counts = [int((units.loc[units["variant"] == arm, "active_units"] < 2).sum()) for arm in ARMS]
    n = len(units) // len(ARMS)
    return f"A unit is asleep in {counts[0]}, {counts[1]} and {counts[2]} of {n} runs an arm."


def readme(text: str) -> str:
    """The README with its table made anew."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{block()}\n{END}{after}"


if __name__ == "__main__":
    README.write_text(readme(README.read_text(encoding="utf-8")), encoding="utf-8")
