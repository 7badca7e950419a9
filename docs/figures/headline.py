"""Writes the tables of the demo's repetitions, from results/demo/K/rows.csv and K/methods.csv.

    python docs/figures/headline.py

The README has one line for each kind of images; of the pages in docs, repetitions.md has a line for
each method, every seed of every repetition and the controls of those that have them, ladder.md the
other methods on designed changes, departures.md what departures give, each time they were made;
docs/images/repetitions.png shows the means.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import fmean
from textwrap import wrap

import matplotlib.pyplot as plt
import pandas as pd

from gordium.exhibits.demo.claims import CONTROLS
from gordium.exhibits.demo.judging import (
    RUNGS,
    judge_demo,
    judge_ladder,
    read_ladder,
    read_more,
    read_repetitions,
)
from gordium.exhibits.zietlow2021.claims import pair_by_change, with_change
from gordium.report.figures.images import to_png
from gordium.report.statistics.student import (
    Estimate,
    mean_interval,
    paired_interval,
    ratio_interval,
)
from gordium.report.statistics.verdicts import Verdict
from gordium.report.statistics.words import interval
from gordium.table_text import markdown_lines

ROOT = Path(__file__).resolve().parents[2]
README, DOCS = ROOT / "README.md", ROOT / "docs"
REPETITIONS, LADDER = DOCS / "repetitions.md", DOCS / "ladder.md"
DEPARTURES = DOCS / "departures.md"
RESULTS = ROOT / "results" / "demo"
PROCESSORS = ("demo", "demo-intel", "demo-avx512")  # folders of the same ten repetitions
ARMS = ("original", "modified", "noise")
TABLES = ("rows.csv", "methods.csv")
RECIPE = "the recipe"  # of docs/figures/ablation.py
DEPARTED = (0, 1, 2)  # the repetitions whose runs departures learn from
EQUAL = "equal noise"  # of the beta-VAE alone
SHOWN = ("original images", "modified", "noise")
IMAGES = {  # of the README's table, by their folders of results
    "demo": "the first ten, AMD with AVX2",
    "demo-intel": "the same ten, Intel with AVX-512",
    "demo-avx512": "the same ten, AMD with AVX-512",
    "demo-0-longer": "the same, runs four times as long",
    "demo-1": "three factors, learned",
    "demo-1-designed": "three other factors, designed",
    "demo-2-designed": "**four factors**, designed",
    "demo-3-designed": "six factors, designed",
    "demo-dsprites": "dSprites, two factors, learned",
    "demo-dsprites-designed": "dSprites, two factors, designed",
}
METHODS = {
    "beta-vae": "beta-VAE",
    "factor-vae": "FactorVAE",
    "beta-tcvae": "beta-TCVAE",
    "slow-vae": "SlowVAE",
    "ae": "autoencoder",
    "pcl": "PCL",
    "weak-gan": "weakly supervised GAN",
}


def summary() -> str:
    """One line for each kind of images: the beta-VAE, the mean of its repetitions.

    Where a repetition was made on several processors, its mean over them is one unit.
    """
    ratio, gap = "modified / original", "modified - noise"
    head = ("images", "n", *SHOWN, "noise of its energy", ratio, gap)
    everywhere = pd.concat([_scores("rows.csv", ROOT / "results" / name) for name in PROCESSORS])
    lines = {"**two factors**, learned: `make demo`, all of the next three": everywhere}
    lines |= {x: _scores("rows.csv", ROOT / "results" / name) for name, x in IMAGES.items()}
    body = [(shown, *_summary_cells(own)) for shown, own in lines.items() if len(own)]
    theirs = ("published: six factors, learned; 10 seeds of one change", "1")
    body.append((*theirs, "0.60 ± 0.31", "0.09 ± 0.14", "0.66 ± 0.05", "", "0.15", "-0.57"))
    return "\n".join(markdown_lines(head, body))


def every_method() -> str:
    """One line for each method: the mean of the repetitions, each with its interval."""
    rows, others = (_scores(table) for table in TABLES)
    table = pd.concat([rows, others], ignore_index=True)
    head = ("method", "n", *SHOWN, "modified - noise")
    body = [
        (shown, *_method_cells(own))
        for name, shown in METHODS.items()
        if len(own := table[table["method"] == name])
    ]
    half, _, equal, *_ = _verdicts()["demo-controls"]
    means = rows.pivot_table(index="repetition", columns="variant", values="value")
    shares = [fmean(means[arm]) / fmean(means["original"]) for arm in ("modified", "noise")]
    text = (
        f"The beta-VAE on modified images: below noise in {_count_below(means)}, at most half of "
        f"the original {half.claim.note}; it keeps {100 * shares[0]:.0f} % of the original, and "
        f"{100 * shares[1]:.0f} % on noise. {_asleep(rows)} On noise of the change's own energy "
        f"MIG is {_mean(mean_interval(means[EQUAL]))}: the modified images differ from it by "
        f"{interval(equal.shown.line)}, below it {equal.claim.note}."
    )
    return "\n".join([*markdown_lines(head, body), "", text])


def on_designed() -> str:
    """One line for each method on images with designed changes, with its two differences."""
    head = ("images", "method", "n", *ARMS, "modified - noise", "modified - original")
    body = []
    for name, rung in RUNGS.items():
        tables = [_scores(table, RESULTS.parent / name) for table in TABLES]
        if not len(tables[1]):
            continue
        together = pd.concat(tables, ignore_index=True)
        for method, shown in METHODS.items():
            if len(own := together[together["method"] == method]):
                to_original = paired_interval(*pair_by_change(with_change(own), *ARMS[:2]))
                body.append((rung.words, shown, *_method_cells(own), _mean(to_original)))
    return "\n".join(markdown_lines(head, body))


def every_seed() -> str:
    """One line for each repetition: the mean of its seeds, and each of them."""
    scores = _scores("rows.csv")
    judged = _verdicts()
    noise = next(one for one in judged["demo"][1].lines if one.line.of == "MIG, beta-vae")
    equal = judged["demo-controls"][2]
    text = (
        f"Modified minus noise, by repetition: {interval(noise.line)} (95 %, n = {noise.line.n} "
        f"changes; {noise.outcome}). Modified minus noise of equal energy: "
        f"{interval(equal.shown.line)} ({equal.outcome})."
    )
    return "\n".join([*_table(scores, (*ARMS, EQUAL)), "", text])


def another_processor(name: str) -> str:
    """The repetitions that were made again on another processor, and the rule's three counts."""
    folder = ROOT / "results" / name
    scores = _scores("rows.csv", folder)
    means = scores.pivot_table(index="repetition", columns="variant", values="value")
    half = int((means["modified"] <= means["original"] / 2).sum())
    kept = means["noise"].mean() / means["original"].mean()
    ladder = judge_ladder(read_ladder(ROOT / "results"))
    noise, original, equal, *_ = ladder[name]
    text = (
        f"Modified is at most half of the original in {half} of {len(means)} repetitions, below "
        f"noise in {_count_below(means)}; noise keeps {100 * kept:.0f} % of the mean original. "
        f"Modified minus noise: {interval(noise.shown.line)} ({noise.outcome}); minus original: "
        f"{interval(original.shown.line)} ({original.outcome}); minus noise of equal energy: "
        f"{interval(equal.shown.line)} ({equal.outcome}). {_asleep(scores)}"
    )
    return "\n".join([*_table(scores, (*ARMS, EQUAL)), "", text])


def controls() -> str:
    """One line for each repetition with controls, which were selected as the change was."""
    arms = ("modified", *(name for name in CONTROLS if name != EQUAL))
    scores = _scores("rows.csv", arms=arms)
    with_all = scores.groupby("repetition")["variant"].transform("nunique") == len(arms)
    scores = scores[with_all]
    waves, swapped, noise = _verdicts()["demo-controls"][3:6]
    text = (
        f"{_asleep(scores, arms)} Modified minus "
        f"waves: {interval(waves.shown.line)} ({waves.outcome}, lower {waves.claim.note}); minus "
        f"swapped: {interval(swapped.shown.line)} ({swapped.outcome}, lower {swapped.claim.note}); "
        f"minus the worst noise: {interval(noise.shown.line)} ({noise.outcome}, lower "
        f"{noise.claim.note})."
    )
    return "\n".join([*_table(scores, arms), "", text])


def departures(made: str) -> str:
    """One line for each departure: its probes by repetition, and their mean less the recipe's."""
    table = pd.read_csv(RESULTS / made)
    means = table.pivot_table(index="repetition", columns="departure", values="mig")
    gaps = means.reindex(DEPARTED).sub(means[RECIPE], axis="index")
    head = ("how changes are learned", *(f"repetition {k}" for k in DEPARTED), "less the recipe")
    body = []
    for name in dict.fromkeys(table["departure"]):
        own = table[table["departure"] == name]
        each = [_cell(own.loc[own["repetition"] == k, "mig"]) for k in DEPARTED]
        asleep, size = f"{own['asleep'].sum()} of {len(own)}", f"{own['rms'].mean():.3f}"
        body.append((name, *each, *_say_gap(name, gaps[name]), asleep, size))
    return "\n".join(markdown_lines((*head, "matters", "a unit asleep", "size"), body))


def _say_gap(name: str, gaps: pd.Series) -> tuple[str, str]:
    """A departure's difference, and whether it matters; nothing before all are finished."""
    if name == RECIPE or gaps.isna().any():
        return "", ""
    found = mean_interval(gaps)
    shown = f"{found.mean:+.2f} [{found.low:+.2f}, {found.high:+.2f}]"
    return shown, "yes" if found.low > 0 else "not shown"


def _cell(values: pd.Series) -> str:
    each = " ".join(f"{value:.2f}" for value in values)
    return f"**{values.mean():.2f}** ({each})" if len(values) else ""


def _table(scores: pd.DataFrame, arms: tuple[str, ...]) -> list[str]:
    """A line for each repetition, and the means of all."""
    means = scores.pivot_table(index="repetition", columns="variant", values="value")
    last = ["**mean of repetitions**", *(_mean(mean_interval(means[a])) for a in arms)]
    body = [*(_line(scores, number, arms) for number in means.index), last]
    return markdown_lines(("repetition", *arms), body)


def _verdicts() -> dict[str, list[Verdict]]:
    return judge_demo(read_repetitions(RESULTS), read_more(RESULTS))


def _count_below(means: pd.DataFrame) -> str:
    return f"{int((means['modified'] < means['noise']).sum())} of {len(means)} repetitions"


def _scores(
    table: str, folder: Path = RESULTS, arms: tuple[str, ...] = (*ARMS, EQUAL)
) -> pd.DataFrame:
    rows = read_repetitions(folder, table)
    if not len(rows):
        return rows
    return rows[rows["variant"].isin(arms) & (rows["metric"] == "mig")]


def _summary_cells(own: pd.DataFrame) -> list[str]:
    means, gap = _average(own)
    ratio = ratio_interval(means["original"], means["modified"])
    plain = (f"{means[arm].mean():.2f}" for arm in (*ARMS, EQUAL))
    return [str(len(means)), *plain, _say(ratio), _say(gap)]


def _method_cells(own: pd.DataFrame) -> list[str]:
    means, gap = _average(own)
    return [str(len(means)), *(_mean(mean_interval(means[arm])) for arm in ARMS), _mean(gap)]


def _average(own: pd.DataFrame) -> tuple[pd.DataFrame, Estimate]:
    """Each change's mean on each arm, and modified minus noise."""
    changes = with_change(own)
    means = changes.pivot_table(index="change", columns="variant", values="value")
    return means, paired_interval(*pair_by_change(changes, "noise", "modified"))


def _line(scores: pd.DataFrame, number: int, arms: tuple[str, ...]) -> list[str]:
    own = scores[scores["repetition"] == number]
    cells = [str(number)]
    for arm in arms:
        cells.append(_cell(own.loc[own["variant"] == arm, "value"]))
    return cells


def _mean(found: Estimate) -> str:
    mean, *ends = _say(found).split(" ", 1)
    return " ".join([f"**{mean}**", *ends])


def _say(found: Estimate) -> str:
    """The number, with its interval if there are three repetitions or more."""
    return str(found) if found.n > 2 else f"{found.mean:.2f}"


def _asleep(units: pd.DataFrame, arms: tuple[str, ...] = (*ARMS, EQUAL)) -> str:
    counts = [int((units.loc[units["variant"] == arm, "active_units"] < 2).sum()) for arm in arms]
    n = len(units) // len(arms)
    each = ", ".join(f"{count} ({arm})" for count, arm in zip(counts, arms, strict=True))
    return f"A unit is asleep in so many of {n} runs an arm: {each}."


def fill_block(text: str, name: str, block: str) -> str:
    """Replace what stands between a page's two comments of that name."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"the page has no place {begin} ... {end}.")
    return f"{before}{begin}\n{block}\n{end}{after}"


def draw_repetitions() -> bytes:
    """Every repetition's mean MIG on each kind of images, a panel for each recipe that has three.

    A line joins the four means of one repetition.
    """
    arms = (*ARMS, EQUAL)
    folders = {"the demo: 2 factors": RESULTS}
    folders |= {rung.words: RESULTS.parent / name for name, rung in RUNGS.items()}
    panels = {}
    for words, folder in folders.items():
        rows = read_repetitions(folder)
        if len(rows) and rows["repetition"].nunique() > 2:
            own = rows[rows["metric"] == "mig"]
            table = own.pivot_table(index="repetition", columns="variant", values="value")
            panels[words] = table[list(arms)]
    n_columns = (len(panels) + 1) // 2
    figure, axes = plt.subplots(
        2,
        n_columns,
        figsize=(2.6 * n_columns, 5.6),
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for axis in axes.flat[len(panels) :]:
        axis.set_axis_off()
    for axis, (words, table) in zip(axes.flat, panels.items(), strict=False):
        places = range(len(arms))
        axis.plot(places, table.to_numpy().T, color="0.75", linewidth=0.8, zorder=1)
        for place, arm in zip(places, arms, strict=True):
            axis.scatter([place] * len(table), table[arm], s=14, color=f"C{place}", zorder=2)
            axis.plot([place - 0.25, place + 0.25], [table[arm].mean()] * 2, color=f"C{place}")
        axis.set_xticks(places, [arm.replace(" ", "\n") for arm in arms], fontsize=8)
        title = "\n".join(wrap(words, 28))
        axis.set_title(f"{title}\n{len(table)} repetitions", fontsize=8)
        axis.set_ylim(0, 1)
        axis.spines[["top", "right"]].set_visible(False)
    for axis in axes[:, 0]:
        axis.set_ylabel("MIG")
    return to_png(figure)


BLOCKS: list[tuple[Path, str, Callable[[], str]]] = [
    (README, "repetitions", summary),
    (REPETITIONS, "methods", every_method),
    (REPETITIONS, "repetitions", every_seed),
    (REPETITIONS, "another processor", partial(another_processor, "demo-intel")),
    (REPETITIONS, "a third processor", partial(another_processor, "demo-avx512")),
    (REPETITIONS, "controls", controls),
    (LADDER, "methods on designed changes", on_designed),
    (DEPARTURES, "departures", partial(departures, "ablation.csv")),
    (DEPARTURES, "departures again", partial(departures, "again.csv")),
]

if __name__ == "__main__":
    for path, name, block in BLOCKS:
        text = fill_block(path.read_text(encoding="utf-8"), name, block())
        path.write_text(text, encoding="utf-8")
    (DOCS / "images" / "repetitions.png").write_bytes(draw_repetitions())
