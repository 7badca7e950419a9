"""Writes the verdicts: results/verdicts.csv, those of each exhibit, and docs/reproduction.md.

And one picture, of repetitions beside a published table.

    python docs/figures/reproduction.py

Reads the committed rows of every exhibit, results/ID/rows.csv, and trains nothing. The claims that
the page shows of each paper are in docs/figures/key_claims.toml, what became of the earlier page's
effects in results/recount.csv, what was tried in results/tried.toml, and when each exhibit's rows
came into the repository in results/rows_dates.csv.
"""

import csv
import json
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gordium.exhibits.catalogue import CATALOGUE
from gordium.exhibits.demo.judging import (
    RUNGS,
    judge_demo,
    judge_ladder,
    read_ladder,
    read_more,
    read_repetitions,
)
from gordium.exhibits.demo.table_rows import (
    METRICS,
    PICTURE,
    describe_table,
    draw_table,
    select_table,
)
from gordium.exhibits.published import read_published
from gordium.exhibits.reproduce import judge, markdown, read_rows
from gordium.exhibits.zietlow2021.claims import OF_MIG
from gordium.report.statistics.claims import Line
from gordium.report.statistics.significance import holm
from gordium.report.statistics.verdicts import (
    LEVEL,
    Verdict,
    as_csv,
    has_enough,
    lines_csv,
    tested_p,
)
from gordium.report.statistics.words import (
    KINDS,
    OUTCOMES,
    as_markdown,
    counts,
    interval,
    interval_again,
)
from gordium.table_text import markdown_lines

ROOT = Path(__file__).resolve().parents[2]
RESULTS, PAGE = ROOT / "results", ROOT / "docs" / "reproduction.md"
OURS = "demo-controls"  # sentences that no paper has
KEY = Path(__file__).with_name("key_claims.toml")
LIMITS = Path(__file__).with_name("limits.md")
LOWER = "MIG is lower on"  # with which the claims of each rung begin, after its name
MARKS = {"seen": "seen", "not seen": "**not seen**", "inconclusive": "*inconclusive*"}
HEAD = ("claim", "verdict", "difference, 95 % interval", "n", "d", "power", "rule, rows")
RUNG_HEAD = ("images", "n", "original", "modified", "noise", "equal noise", "modified - noise")
ARMS = ("original", "modified", "noise", "equal noise")
Verdicts = dict[str, list[Verdict]]


def all_verdicts() -> Verdicts:
    """The verdicts of each exhibit, from the committed rows; those of the demo come first."""
    found = _judge_repetitions()
    for name in CATALOGUE:
        rows = RESULTS / name / "rows.csv"
        if rows.is_file():
            table = pd.concat([read_rows(rows), read_repeated(name)], ignore_index=True)
            found[name] = judge(name, table, scale=summary(name)["scale"])
    dates = rows_dates()
    if undated := found.keys() - dates.keys():
        raise ValueError(f"results/rows_dates.csv must say when {undated} came in; add a line.")
    return {name: [replace(verdict, dates=dates) for verdict in own] for name, own in found.items()}


def _judge_repetitions() -> Verdicts:
    """The verdicts of the demo's repetitions, and of those on other images."""
    folder = RESULTS / "demo"
    found = judge_demo(read_repetitions(folder), read_more(folder))
    return found | judge_ladder(read_ladder(RESULTS))


def read_repeated(name: str) -> pd.DataFrame:
    """The rows of the demo's repetitions that are of the same table as an exhibit, if it is one."""
    if name not in METRICS:
        return pd.DataFrame()
    folder = RESULTS / "demo"
    return select_table(name, read_repetitions(folder), read_more(folder))


def draw_repetitions() -> bytes:
    """MIG of all methods over the demo's repetitions, beside Table 1 as it is printed."""
    return draw_table(read_repeated(OF_MIG), read_published(OF_MIG), "MIG")


def rows_dates() -> dict[str, str]:
    """The day on which the judged rows of each exhibit came into the repository."""
    return {line["exhibit"]: line["rows_date"] for line in _read("rows_dates.csv")}


def summary(name: str) -> dict[str, Any]:
    """What `gordium reproduce` wrote of an exhibit."""
    text = (RESULTS / name / "exhibit.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def outputs() -> dict[Path, str]:
    """Every file that is generated, with its text."""
    found = all_verdicts()
    flat = [verdict for own in found.values() for verdict in own]
    files = {RESULTS / name / "verdicts.csv": lines_csv(own) for name, own in found.items() if own}
    files |= {
        RESULTS / name / "table.md": (exhibit_page if name in CATALOGUE else demo_page)(name, own)
        for name, own in found.items()
    }
    return {RESULTS / "verdicts.csv": as_csv(flat), PAGE: page(found), **files}


def exhibit_page(name: str, own: Sequence[Verdict]) -> str:
    """results/ID/table.md, with what was withdrawn of the exhibit and what was tried."""
    gone = [line for line in read_recount() if line["exhibit"] == name and line["kept"] == "no"]
    more = [f"- withdrawn: {line['was']}; {line['reason']}" for line in gone]
    known = read_tried().get(name)
    more += ["", f"Tried: {known}"] if known else []
    above = describe_table(read_repeated(name), read_published(name)) if name in METRICS else []
    return markdown(name, summary(name), own, above=above, below=more)


def demo_page(name: str, own: Sequence[Verdict]) -> str:
    """results/ID/table.md of a part of the demo: every line with its tests and effect sizes."""
    told = (
        "[The repetitions](../../docs/repetitions.md) and [other images](../../docs/ladder.md) "
        "tell what was run."
    )
    return "\n".join([f"# {name}", "", told, "", *as_markdown(own), ""])


def page(found: Verdicts) -> str:
    """docs/reproduction.md: counts, limits, the demo, each paper, and the recount."""
    flat = [verdict for own in found.values() for verdict in own if verdict.lines]
    with KEY.open("rb") as file:
        papers = tomllib.load(file)["paper"]
    parts = [INTRODUCTION, _count(flat), LIMITS.read_text(encoding="utf-8")]
    parts += [_headline(found), _ladder(found)]
    parts += [_paper(paper, found) for paper in papers]
    return "\n".join([*parts, _recount(flat), CLOSING])


INTRODUCTION = """\
# Reproduction

Made by `python docs/figures/reproduction.py` from `results/ID/rows.csv`; do not edit it.

What four papers and a figure of a fifth claim, and what our runs say of it. A claim is **seen**,
**not seen** or *inconclusive*: its interval holds both, or it has too few units to say. The rules,
with those that were changed after a result was seen: [verdict-rules.md](verdict-rules.md). All
verdicts are in [results/verdicts.csv](../results/verdicts.csv), one line a claim; each exhibit's
own, line by line, in `results/ID/verdicts.csv`, with its table and pictures in
`results/ID/table.md`. Lines that are shown there and not judged count nowhere.

Everything that was trained is smaller than published: most of it has images of 32 x 32 pixels in
place of 64 x 64, two to six free factors and 1,000 to 20,000 steps in place of 300,000
([limits](#limits-first)).

Where a claim has several lines, the numbers are those of the line that speaks least for it; of
directions, the one whose difference is least beside half of its interval. `d` is the difference in
standard deviations of a unit. Power is the chance to see what was published (that difference, or
none) with our number of units and our spread, before Holm's correction; "–" where no size is
published or a single unit shows no spread. The last column has the days (of 2026) on which the rule
and the rows came into the repository: only a rule that is older than its rows was written blind.
"""
REPEATED = """\
One repetition is the whole experiment (`gordium demo`): its own search, the most harmful of four
learned changes by probe runs, one draw of noise, fresh seeds. The recipe was chosen on repetitions
100 to 105 so that its changes do harm; repetitions 0 to 9 say how surely it does so, not how common
such recipes are. The other methods were trained in all of them, two seeds each; for them the
changes of 4 to 9 were [made again](repetitions.md#made-again) with later kernels, and are not those
of the beta-VAE's lines. Holm's correction runs over all lines about these
changes together, those of our own controls included (since 2026-11-18; before, over each part by
itself). The lines one by one: [the paper's sentences](../results/demo/table.md),
[retuning](../results/demo-retuned/table.md), [our controls](../results/demo-controls/table.md).

What speaks against the paper's reason is in the table too. Published is that noise has very little
effect on Shapes3D; here it has one on the beta-VAE, {noise}. Published is that methods which do not
rest on a VAE's bias keep their alignment. Here the weakly supervised GAN loses a quarter to a half
of its MIG in every repetition, {gan} in the mean. PCL falls too, {pcl}: its interval lies below 0
and reaches into what would count as no change. So does that of the autoencoder, {ae}. But its score
is not told from chance on any images: its units have 0.03 [-0.14, 0.20] more than other axes of the
same codes on originals, so that there is little alignment to lose, and most of what falls is chance
itself ([turned codes](how-the-change-works.md#are-the-units-better-than-any-other-basis), of four
repetitions). Of our controls, noise of equal energy takes half of
MIG away too, by putting a unit to sleep in 47 of 50 runs, as the change does in none; and that the
change does more than one that was learned for the opposite end is not seen, so that its objective
is not shown to be the reason. Those controls put units to sleep as well: one of two in 15 of 25
runs on swapped changes, in 12 on waves and in 7 on the worst noise
([what a sceptic should know](how-the-change-works.md#what-a-sceptic-should-know))."""
LADDER = """\
## The same on other images, and on another processor

Means of MIG over repetitions, each with a change of its own. Every rung has a rule of its own, of
three directions ([how it was reached](verdict-rules.md#the-headline)); its lines are behind its
name. Holm's correction runs over the lines of all rungs together (since 2026-11-19; before, over
each rung by itself, which did not count how many were tried)."""
CLOSING = """\
Each image is scored at most once, but for the rows of `cars3d-like` in
`results/locatello2019-unscaled.csv` and `results/stuehmer2020-cars-unscaled.csv`: their 10,000
images were drawn with replacement, so 23.4 % repeat an earlier one, and scores that fit a predictor
are too high by what that is worth ([what is scored](studies.md#what-is-scored)).

Settings that were tried, seeds that chose them, and every rule that was changed after a result was
seen: [verdict-rules.md](verdict-rules.md#forking-paths). The published protocols beside ours, at
both scales: [protocols.md](protocols.md).
"""


def _count(flat: Sequence[Verdict]) -> str:
    """What holds, what fails and what is open, in a minute, and how many of each kind."""
    measured = [verdict for verdict in flat if verdict.kind in ("direction", "equivalence")]
    seen = [verdict for verdict in measured if verdict.outcome == "seen"]
    fails = [verdict for verdict in measured if verdict.outcome == "not seen"]
    ours = [verdict for verdict in seen if verdict.exhibit == OURS]
    late = [verdict for verdict in seen if verdict.is_late and verdict not in ours]
    rungs = [verdict for verdict in seen if verdict.exhibit in RUNGS and verdict not in late]
    lines = ["## In one minute", "", "**Holds**, of what is published and had to be trained:", ""]
    lines += [_say(verdict) for verdict in seen if verdict not in (*ours, *late, *rungs)]
    if rungs:
        text = "or on another processor, by changes that are made in ways of ours:"
        lines += ["", f"**Holds on other images** {text}", "", *_say_rungs(rungs)]
        lines += ["", _say_open_rungs(flat)]
    if late:
        text = (
            "by a rule that is younger than its rows, or than half of them on the third processor:"
        )
        others = [verdict for verdict in late if verdict.exhibit not in RUNGS]
        lines += ["", f"**Holds only** {text}", "", *map(_say, others), *_say_rungs(late)]
    lines += ["", "**Fails:**", "", *map(_say, fails), _say_missed(flat)]
    lines += ["", _say_open(measured), "", _say_beside(flat, seen, len(ours)), ""]
    body = [(kind, *map(str, numbers)) for kind, *numbers in counts(flat)]
    return "\n".join([*lines, *markdown_lines(("kind of claim", *OUTCOMES), body), ""])


def _say_open(measured: Sequence[Verdict]) -> str:
    """How many measured claims are open, and why."""
    some = [verdict for verdict in measured if verdict.outcome == "inconclusive"]
    few = [v for v in measured if not all(has_enough(judged.line) for judged in v.lines)]
    both = sum(verdict not in few for verdict in some)
    return (
        f"**Open:** {len(some)} of {len(measured)} measured claims. {len(few)} have fewer than ten "
        "seeds, ten draws of noise or three changes in some line, and nothing can be seen of them, "
        f"whatever the data say; {both} have enough, and an interval that holds both, or none "
        "where all units are alike."
    )


def _say_beside(flat: Sequence[Verdict], seen: Sequence[Verdict], n_ours: int) -> str:
    """What else is counted, and how much of what is seen rests on what."""
    return (
        f"Beside these, {n_ours} sentences of our own about the demo's controls are seen, and "
        f"{sum(v.kind == 'identity' for v in flat)} claims are theorems and formulas, which no "
        f"training could contradict. {_where_seen(seen)} Over all directions of this page at once, "
        f"instead of within an exhibit, Holm's correction would leave {_survive(flat)} of the "
        f"{_count_directions(seen)} directions among them."
    )


def _say_open_rungs(flat: Sequence[Verdict]) -> str:
    """On which rungs modified images are not seen below noise, which is each rung's first claim."""
    first = {verdict.exhibit: verdict for verdict in reversed(flat) if verdict.exhibit in RUNGS}
    n_open = sum(verdict.outcome != "seen" for verdict in first.values())
    return (
        f"On {n_open} of {len(first)} rungs modified images are not seen to lie below noisy ones "
        "([each rung](#the-same-on-other-images-and-on-another-processor))."
    )


def _count_units(line: Line) -> str:
    return f"{line.n} {line.unit}{'' if line.n == 1 else 's'}"


def _say(verdict: Verdict) -> str:
    line = verdict.shown.line
    note = f"; {verdict.claim.note}" if verdict.claim.note else ""
    return f"- {verdict.text}: {interval_again(line)}, {_count_units(line)}{note}"


def _say_rungs(verdicts: Sequence[Verdict]) -> list[str]:
    """One line for each rung, with all that is seen of it."""
    lines = []
    for name, rung in RUNGS.items():
        if own := [verdict for verdict in verdicts if verdict.exhibit == name]:
            parts = "; ".join(
                f"{verdict.text.removeprefix(f'{rung.words}: ')}, "
                f"{interval_again(verdict.shown.line)}"
                for verdict in own
            )
            said = parts.replace(f"; {LOWER} ", "; on ")
            lines.append(f"- {rung.words} ({_count_units(own[0].shown.line)}): {said}")
    return lines


def _say_missed(flat: Sequence[Verdict]) -> str:
    """How many sets of published numbers and how many formulas are not as printed."""
    numbers, formulas = (
        [v.outcome for v in flat if v.kind == kind] for kind in ("quantity", "identity")
    )
    return (
        f"- {numbers.count('not seen')} of {len(numbers)} sets of published numbers are missed "
        "(ours are of smaller images, networks and trainings), and "
        f"{formulas.count('not seen')} of {len(formulas)} theorems and formulas do not hold as "
        "printed"
    )


def _where_seen(seen: Sequence[Verdict]) -> str:
    """How many of the seen claims are of the demo, and how many were judged blind."""
    rungs = sum(verdict.exhibit in RUNGS for verdict in seen)
    demo = sum(verdict.exhibit.startswith("demo") for verdict in seen) - rungs
    blind = sum(verdict.is_blind for verdict in seen)
    beside = f", and {rungs} of the same on other images or another processor" if rungs else ""
    return (
        f"Of all {len(seen)} that are seen {demo} are of the demo, one recipe on 150 images of two "
        f"factors{beside}; "
        f"{blind} {'was' if blind == 1 else 'were'} judged by a rule that came into the repository "
        "on an earlier day than their rows."
    )


def _count_directions(seen: Sequence[Verdict]) -> int:
    return sum(verdict.kind == "direction" for verdict in seen)


def _survive(flat: Sequence[Verdict]) -> int:
    """How many directions are still seen if Holm's correction runs over all lines at once."""
    lines = [(v, j) for v in flat for j in v.lines if math.isfinite(j.line.p)]
    corrected = holm(np.array([tested_p(judged.line) for _, judged in lines]))
    lost = {id(v) for (v, _), p in zip(lines, corrected, strict=True) if p >= LEVEL}
    return sum(v.outcome == "seen" and v.kind == "direction" and id(v) not in lost for v in flat)


def _headline(found: Verdicts) -> str:
    own = [*found["demo"], *found["demo-retuned"]]
    figure = "![Each repetition's mean on each kind of images](images/repetitions.png)"
    lines = ["## The headline, repeated", "", *markdown_lines(HEAD, [_cells(v) for v in own])]
    *_, stay, noise = found["demo"]
    said = {
        "noise": _say_line(noise, "MIG, beta-vae"),
        "gan": _say_line(stay, "MIG, weak-gan"),
        "pcl": _say_line(stay, "MIG, pcl"),
        "ae": _say_line(stay, "MIG, ae"),
    }
    return "\n".join([*lines, "", figure, "", REPEATED.format(**said), ""])


def _say_line(verdict: Verdict, of: str) -> str:
    [line] = [judged.line for judged in verdict.lines if judged.line.of == of]
    return interval(line)


def _ladder(found: Verdicts) -> str:
    body = []
    for name, (rows, _) in read_ladder(RESULTS).items():
        scores = rows[rows["metric"] == "mig"]
        means = scores.pivot_table(index="repetition", columns="variant", values="value").mean()
        first, *_ = found[name]
        cells = [f"{means[arm]:.2f}" for arm in ARMS]
        link = f"[{RUNGS[name].words}](../results/{name}/table.md)"
        verdict = f"{interval(first.shown.line)}, {MARKS[first.outcome]}"
        body.append((link, str(first.shown.line.n), *cells, verdict))
    table = markdown_lines(RUNG_HEAD, body)
    return "\n".join([LADDER, "", *table, ""])


def _paper(paper: Mapping[str, Any], found: Verdicts) -> str:
    body = []
    for key in paper["claim"]:
        verdict = pick(found[key["exhibit"]], key["claim"])
        body.append((*_cells(verdict), key["ours"], key["published"]))
    head = (*HEAD, "here", "published")
    own = [name for name in found if name.startswith(tuple(paper["exhibits"]))]
    flat = [verdict for name in own for verdict in found[name] if verdict.lines]
    rest = f"All {len(flat)} claims: " + ", ".join(
        f"[{name}](../results/{name}/table.md)" for name in own
    )
    return "\n".join(
        [f"## {paper['title']}", "", f"Published: {paper['says']}", "",
         f"Here: {paper['here']}", "",
         *markdown_lines(head, body), "", f"![{paper['figure']}](../results/{paper['figure']})", "",
         f"{rest}.", ""]
    )  # fmt: skip


def pick(verdicts: Sequence[Verdict], start: str) -> Verdict:
    """The one verdict whose claim begins with `start`."""
    found = [verdict for verdict in verdicts if verdict.claim.text.startswith(start)]
    if len(found) != 1:
        raise ValueError(f"{len(found)} claims begin with {start!r}; name one.")
    return found[0]


def _cells(verdict: Verdict) -> tuple[str, ...]:
    line = verdict.shown.line
    power = f"{100 * line.power:.0f} %" if math.isfinite(line.power) else "–"
    effect = f"{line.effect:.1f}" if math.isfinite(line.effect) else "–"
    note = f"; {verdict.claim.note}" if verdict.claim.note else ""
    days = (verdict.claim.rule_date, verdict.rows_date(line))
    dates = ", ".join(day[5:] for day in days)
    return (
        verdict.text + note, MARKS[verdict.outcome], interval_again(line), _count_units(line),
        effect, power, dates,
    )  # fmt: skip


def read_recount() -> list[dict[str, str]]:
    """What became of the effects of the earlier page, and why."""
    return _read("recount.csv")


def _read(name: str) -> list[dict[str, str]]:
    with (RESULTS / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_tried() -> dict[str, str]:
    """What was tried for each exhibit whose claims are not seen."""
    return tomllib.loads((RESULTS / "tried.toml").read_text(encoding="utf-8"))


def _recount(flat: Sequence[Verdict]) -> str:
    gone = read_recount()
    before, seen = (sum(int(line[name]) for line in gone) for name in ("effects", "seen"))
    reasons: dict[str, list[int]] = {}
    for line in gone:
        total = reasons.setdefault(line["reason"], [0, 0])
        total[0] += int(line["effects"])
        total[1] += int(line["seen"])
    kept = {line["reason"]: line["kept"] for line in gone}
    body = [(why, kept[why], str(n), str(k)) for why, (n, k) in reasons.items()]
    n_lines = sum(len(verdict.lines) for verdict in flat)
    kinds = ", ".join(f"{sum(v.kind == kind for v in flat)} of {kind}" for kind in KINDS)
    text = (
        f"The earlier page counted {before} effects, {seen} of them seen. This one has {len(flat)} "
        f"claims ({kinds}) with {n_lines} lines under them, and "
        f"{sum(v.outcome == 'seen' for v in flat)} claims are seen, "
        f"{sum(v.outcome == 'seen' and v.kind == 'identity' for v in flat)} of them identities, "
        "which rest on no training. Of the earlier effects some are lines that are shown and not "
        "judged now, since the same sentences are judged over the demo's repetitions. What each "
        "group became is in [results/recount.csv](../results/recount.csv). "
        f"Where the {before} went:"
    )
    lines = markdown_lines(("what they were", "kept as a line", "effects", "of which seen"), body)
    return "\n".join(["## The recount", "", text, "", *lines, ""])


if __name__ == "__main__":
    for path, text in outputs().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (RESULTS / OF_MIG / PICTURE).write_bytes(draw_repetitions())
