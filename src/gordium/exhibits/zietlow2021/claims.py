"""What Tables 1 and 3-5 of Zietlow et al. 2021 claim, and the demo that repeats their headline."""

import numpy as np
import pandas as pd

from gordium.arrays import Floats
from gordium.exhibits.published import read_published
from gordium.report.statistics.claims import (
    RULE_DATE,
    Claim,
    Line,
    equivalence,
    mean_direction,
    paired_direction,
    quantity,
)
from gordium.report.statistics.student import paired_interval, welch_interval_of

ORIGINAL, MODIFIED, NOISE = "original", "modified", "noise"
# Data sets whose committed change moves no pixel by more than two grey levels in more than half
# of the images (results/zietlow2021-figure4/rows.csv, column unchanged): nothing was changed.
UNCHANGED = ("dsprites",)
PUBLISHED_SEEDS = 10
# One learned change and one draw of noise for each data set: what the runs on them share.
UNITS = {MODIFIED: "change", NOISE: "draw"}
DRAW_RULE_DATE = "2026-11-17"
# Of the methods that the demo trains beside the beta-VAE: published to fall, and to stay.
FALLING, STAYING = ("factor-vae", "beta-tcvae", "slow-vae"), ("ae", "pcl", "weak-gan")
OTHERS_RULE_DATE = "2026-11-17"
LADDER_RULE_DATE = "2026-11-17"  # written before the first repetition below 100
EQUAL_NOISE, EQUAL_RULE_DATE = "equal noise", "2026-11-17"  # written before its first run
CONTROLS = {
    "waves": "the worst of four unlearned waves",
    "swapped": "the worst of four changes with swapped roles",
    "worst noise": "the worst of four draws of noise",
}
Case = tuple[str, str]  # data set and method
Numbers = dict[str, dict[str, dict[str, float]]]


def table(frame: pd.DataFrame, exhibit: str, label: str) -> list[Claim]:
    """Tables 1 and 3-5: each published change of a score, by its direction over ten seeds."""
    theirs = read_published(exhibit)
    frame = with_change(frame)
    cases = [
        (data, method)
        for method in theirs
        for data in dict.fromkeys(frame["dataset"])
        if {f"{data}/{v}" for v in (ORIGINAL, MODIFIED, NOISE)} <= set(theirs[method])
    ]
    changed = [case for case in cases if case[0] not in UNCHANGED]
    groups = [
        (
            f"{label} falls from original to modified images",
            [_change_line(frame, case, ORIGINAL, theirs) for case in changed
             if published_sign(theirs, case, ORIGINAL, MODIFIED) < 0],
        ),
        (
            f"{label} is lower on modified than on noisy images",
            [_change_line(frame, case, NOISE, theirs) for case in changed
             if published_sign(theirs, case, NOISE, MODIFIED) < 0],
        ),
        (
            f"modified images leave {label} of other methods as it is",
            [_judge_unmoved(frame, case, MODIFIED) for case in changed
             if published_sign(theirs, case, ORIGINAL, MODIFIED) == 0],
        ),
        (
            f"noise leaves {label} as it is",
            [_judge_unmoved(frame, case, NOISE, unit="draw") for case in cases
             if published_sign(theirs, case, ORIGINAL, NOISE) == 0],
        ),
        (
            f"noise moves {label} as published",
            [_judge_noise(frame, case, theirs) for case in cases
             if published_sign(theirs, case, ORIGINAL, NOISE) != 0],
        ),
        (f"{label} has the published means", _quantities(frame, theirs)),
    ]  # fmt: skip
    return [
        Claim(text, tuple(lines), rule_date=DRAW_RULE_DATE if _has_draws(text) else RULE_DATE)
        for text, lines in groups
        if lines
    ]


def _has_draws(text: str) -> bool:
    return "noise" in text or "published means" in text


def published_sign(theirs: Numbers, case: Case, first: str, second: str) -> int:
    """-1 or 1 if Welch's interval of the difference of published means excludes 0, else 0."""
    data, method = case
    a, b = (theirs[method][f"{data}/{v}"] for v in (first, second))
    found = welch_interval_of(
        (a["mean"], a["std"]), (b["mean"], b["std"]), PUBLISHED_SEEDS, PUBLISHED_SEEDS
    )
    return int(found.low > 0) - int(found.high < 0)


def with_change(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with a column `change`: the repetition, or 0 if there are none."""
    return frame.assign(change=frame.get("repetition", 0))


def pair_by_change(frame: pd.DataFrame, first: str, second: str) -> tuple[Floats, Floats]:
    """The means of two variants, one for each change, over the seeds that have both."""
    table = frame.pivot_table(index=["change", "seed"], columns="variant", values="value")
    if not {first, second} <= set(table):
        return np.empty(0), np.empty(0)
    means = table[[first, second]].dropna().groupby("change").mean()
    return means[first].to_numpy(np.float64), means[second].to_numpy(np.float64)


def _select(frame: pd.DataFrame, case: Case) -> pd.DataFrame:
    return frame[(frame["dataset"] == case[0]) & (frame["method"] == case[1])]


def _gap(theirs: Numbers, case: Case, first: str, second: str) -> float:
    data, method = case
    means = [theirs[method][f"{data}/{v}"]["mean"] for v in (first, second)]
    return means[1] - means[0]


def _change_line(frame: pd.DataFrame, case: Case, first: str, theirs: Numbers) -> Line:
    a, b = pair_by_change(_select(frame, case), first, MODIFIED)
    gap = _gap(theirs, case, first, MODIFIED)
    return paired_direction(", ".join(case), a, b, -1, unit="change", published=gap)


def _judge_unmoved(frame: pd.DataFrame, case: Case, variant: str, unit: str = "change") -> Line:
    pair = pair_by_change(_select(frame, case), ORIGINAL, variant)
    return _expect_equal(*pair, of=", ".join(case), unit=unit)


def _expect_equal(a: Floats, b: Floats, *, of: str = "", unit: str = "change") -> Line:
    base = float(a.mean()) if len(a) else np.nan
    return equivalence(of, paired_interval(a, b), base=base, unit=unit)


def _judge_noise(frame: pd.DataFrame, case: Case, theirs: Numbers) -> Line:
    sign = published_sign(theirs, case, ORIGINAL, NOISE)
    gap = _gap(theirs, case, ORIGINAL, NOISE)
    pair = pair_by_change(_select(frame, case), ORIGINAL, NOISE)
    return paired_direction(", ".join(case), *pair, sign, unit="draw", published=gap)


def _quantities(frame: pd.DataFrame, theirs: Numbers) -> list[Line]:
    lines = []
    for method, cells in theirs.items():
        for cell, number in cells.items():
            data, variant = cell.split("/")
            own = _select(frame, (data, method))
            own = own[own["variant"] == variant]
            if own.empty or (variant == MODIFIED and data in UNCHANGED):
                continue
            unit = UNITS.get(variant, "seed")
            values = own.groupby("seed" if unit == "seed" else "change")["value"].mean()
            lines.append(quantity(f"{cell}, {method}", values, number["mean"], unit=unit))
    return lines


def headline(frame: pd.DataFrame) -> list[Claim]:
    """The repeated demo: each repetition has its own search, change, noise and fresh seeds."""
    frame = with_change(frame[frame["metric"] == "mig"])
    original, modified = pair_by_change(frame, ORIGINAL, MODIFIED)
    noise, beside = pair_by_change(frame, NOISE, MODIFIED)
    plain, noisy = pair_by_change(frame, ORIGINAL, NOISE)
    equal, there = pair_by_change(frame, EQUAL_NOISE, MODIFIED)
    theirs = _published_means("beta-vae", "shapes3d")
    halves = mean_direction(
        "", modified - original / 2, -1, unit="change",
        published=theirs[MODIFIED] - theirs[ORIGINAL] / 2,
    )  # fmt: skip
    rest = mean_direction(
        "", noisy - 0.7 * plain, 1, unit="change",
        published=theirs[NOISE] - 0.7 * theirs[ORIGINAL],
    )  # fmt: skip
    gap = theirs[MODIFIED] - theirs[NOISE]
    return [
        Claim(
            "MIG of fresh seeds is lower on modified than on noisy images",
            (paired_direction("", noise, beside, -1, unit="change", published=gap),),
            f"below noise in {int((beside < noise).sum())} of {len(noise)} repetitions",
        ),
        Claim(
            "MIG on modified images is at most half of that on original ones",
            (halves,),
            f"in {int((modified <= original / 2).sum())} of {len(original)} repetitions",
        ),
        Claim("MIG on noisy images keeps 70 % of that on original ones", (rest,)),
        Claim(
            "noise leaves MIG as it is",
            (_expect_equal(plain, noisy),),
            f"lower in {int((noisy < plain).sum())} of {len(plain)} repetitions",
            rule_date=OTHERS_RULE_DATE,
        ),
        Claim(
            "MIG of fresh seeds is lower on modified images than on noise of equal energy",
            (paired_direction("", equal, there, -1, unit="change"),) if len(equal) else (),
            f"in {int((there < equal).sum())} of {len(equal)} repetitions",
            rule_date=EQUAL_RULE_DATE,
        ),
        *_below_controls(frame),
    ]


def _below_controls(frame: pd.DataFrame) -> list[Claim]:
    """Modified images against controls that the same probes selected, if there are any."""
    return [
        lies_below(frame, variant, f"MIG of fresh seeds is lower on modified images than on {text}")
        for variant, text in CONTROLS.items()
        if variant in set(frame["variant"])
    ]


def lies_below(
    frame: pd.DataFrame,
    variant: str,
    said: str,
    *,
    rule_date: str = EQUAL_RULE_DATE,
    published: float = np.nan,
) -> Claim:
    """The claim that a score is lower on modified images than on a variant's, by repetition."""
    before, after = pair_by_change(frame, variant, MODIFIED)
    line = paired_direction("", before, after, -1, unit="change", published=published)
    note = f"in {int((after < before).sum())} of {len(after)} repetitions"
    return Claim(said, (line,), note, rule_date=rule_date)


def ladder(frame: pd.DataFrame, where: str) -> list[Claim]:
    """The demo on a rung's images: scores are lower on modified images than on each other kind."""
    frame = with_change(frame[frame["metric"] == "mig"])
    theirs = _published_means("beta-vae", str(frame["dataset"].iloc[0]))
    others = {
        NOISE: "on modified than on noisy images",
        ORIGINAL: "on modified than on original images",
        EQUAL_NOISE: "on modified images than on noise of equal energy",
    }
    gaps = {variant: theirs[MODIFIED] - mean for variant, mean in theirs.items()}
    return [
        lies_below(
            frame,
            variant,
            f"{where}: MIG of fresh seeds is lower {text}",
            rule_date=LADDER_RULE_DATE,
            published=gaps.get(variant, np.nan),
        )
        for variant, text in others.items()
    ]


def _published_means(method: str, dataset: str) -> dict[str, float]:
    """The mean MIG on each variant of a data set, as Table 1 prints it."""
    cells = read_published("zietlow2021-table1")[method]
    return {v: float(cells[f"{dataset}/{v}"]["mean"]) for v in (ORIGINAL, MODIFIED, NOISE)}


def headline_methods(frame: pd.DataFrame) -> list[Claim]:
    """The other methods of Table 1 on the images of each repetition of the demo."""
    frame = with_change(frame[frame["metric"] == "mig"])
    theirs = read_published("zietlow2021-table1")
    falling, staying = ([("shapes3d", name) for name in names] for names in (FALLING, STAYING))
    groups = [
        (
            "MIG of other VAEs falls from original to modified images",
            [_change_line(frame, case, ORIGINAL, theirs) for case in falling],
        ),
        (
            "MIG of other VAEs is lower on modified than on noisy images",
            [_change_line(frame, case, NOISE, theirs) for case in falling],
        ),
        (
            "modified images leave MIG of methods that are no VAE as it is",
            [_judge_unmoved(frame, case, MODIFIED) for case in staying],
        ),
        (
            "noise leaves MIG of the six other methods as it is",
            [_judge_unmoved(frame, case, NOISE) for case in (*falling, *staying)],
        ),
    ]
    return [Claim(text, tuple(lines), rule_date=OTHERS_RULE_DATE) for text, lines in groups]
