"""What a study answers, in sentences: what was compared, what came out, and how sure that is."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from gordium.report.frame import Kept, keep
from gordium.report.names import say_metric, sort_names
from gordium.report.statistics.difference import differences, unpaired_difference
from gordium.report.statistics.seeds import seed_summary

SURE = 0.05
_LISTED = 6
_NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
HEAD = ("data set", "variant", "highest", "mean", "next", "mean", "difference", "do they differ?")


class Answer(NamedTuple):
    """What was compared; the best of each data set and variant; changes; how sure it all is."""

    compared: str
    best: list[tuple[str, ...]]
    changes: list[str]
    how_sure: str


def answer(frame: pd.DataFrame, metric: str | None, discard: Iterable[str]) -> Answer:
    """The answer by one metric, of which higher values are taken to be better."""
    discard = tuple(discard)
    kept = keep(frame, discard)
    compared = _compare(frame, kept)
    if metric is None:
        return Answer(compared, [], [], "No run has a score, so nothing can be said.")
    left = kept.frame
    left = left[(left["metric"] == metric) & np.isfinite(left["value"])]
    groups = left.groupby(["dataset", "variant"], sort=False)
    best = [(str(data), str(variant), *_best(group)) for (data, variant), group in groups]
    changes = _changes(frame[frame["metric"] == metric], metric, discard)
    return Answer(compared, best, changes, _how_sure(left))


def _compare(frame: pd.DataFrame, kept: Kept) -> str:
    methods, data, variants = (sort_names(frame[n]) for n in ("method", "dataset", "variant"))
    seeds = frame["seed"].nunique()
    bad = [
        f"{_count(n)} {word}"
        for n, word in ((kept.n_failed, "failed"), (kept.n_over_pruned, "over-pruned"))
        if n
    ]
    more = f" ({', '.join(bad)}; {_count(kept.n_discarded)} discarded)" if bad else ""
    parts = [_list_several(methods, "method"), _list_several(data, "data set")]
    if len(variants) > 1:
        parts.append(_list_several(variants, "variant"))
    return f"Compared: {'; '.join(parts)}; {_plural(seeds, 'seed')}. {kept.n_runs} runs{more}."


def _best(group: pd.DataFrame) -> tuple[str, ...]:
    table = seed_summary(group).sort_values("mean", ascending=False, kind="stable")
    first = table.iloc[0]
    named: tuple[str, ...] = (_setting(first, table), _mean(first))
    rivals = table[table["method"] != first["method"]]
    if rivals.empty:
        return (*named, "", "", "", "")
    second = rivals.iloc[0]
    named = (*named, _setting(second, table), _mean(second))
    if min(first["n"], second["n"]) < 2:
        return (*named, "", "one run cannot tell")
    values = [group[group["run"].isin(line["runs"])]["value"] for line in (second, first)]
    gap = unpaired_difference(*values)
    told = "yes" if gap.low > 0 else "not shown"
    return (*named, f"{gap.mean:+.3f} [{gap.low:+.3f}, {gap.high:+.3f}]", told)


def _changes(frame: pd.DataFrame, metric: str, discard: tuple[str, ...]) -> list[str]:
    base, *others = sort_names(frame["variant"]) or [""]
    return [
        _change(str(dataset), (base, name), lines, metric)
        for name in others
        for dataset, lines in differences(frame, (base, name), discard=discard).groupby(
            "dataset", sort=False
        )
    ]


def _change(dataset: str, between: tuple[str, str], lines: pd.DataFrame, metric: str) -> str:
    base, name = between
    down, up = int((lines["high"] < 0).sum()), int((lines["low"] > 0).sum())
    sides = [f"lower for {_count(down)}"] if down else []
    sides += [f"higher for {_count(up)}"] if up else []
    rest = len(lines) - down - up
    sides += [f"not clearly different for {_count(rest)}"] if rest else []
    certain = int((lines["p_holm"] < SURE).sum())
    said = f" ({_count(certain)} of them with p < 0.05 after Holm's correction)" if certain else ""
    return (
        f"{dataset}: {say_metric(metric)} on {name} instead of {base} images is "
        f"{', '.join(sides)} of {_plural(len(lines), 'setting')}{said}; "
        f"the mean change is {lines['mean'].mean():+.3f}."
    )


def _how_sure(left: pd.DataFrame) -> str:
    sizes = left.groupby(["dataset", "variant", "method", "strength"], dropna=False).size()
    least, most = (int(sizes.min()), int(sizes.max())) if len(sizes) else (0, 0)
    each = str(least) if least == most else f"{least} to {most}"
    text = f"How sure: brackets are 95 % intervals over seeds; each setting has {each} runs"
    if least < 2:
        return f"{text}, and one run has no interval."
    smallest = 2.0 ** (1 - most)
    if smallest < SURE:
        return f"{text}. They hold for one comparison at a time; the tables correct for many."
    return (
        f"{text}. With {most} pairs of seeds an exact test cannot give p below {smallest:.2g}: "
        "no single comparison of variants can be significant at 5 %, whatever its size."
    )


def _setting(line: Any, table: pd.DataFrame) -> str:
    several = table.loc[table["method"] == line["method"], "strength"].nunique() > 1
    strength = f" (strength {line['strength']:g})" if several else ""
    return f"{line['method']}{strength}"


def _mean(line: Any) -> str:
    ends = f" [{line['low']:.3f}, {line['high']:.3f}]" if np.isfinite(line["low"]) else ""
    return f"{line['mean']:.3f}{ends}"


def _list_several(names: list[str], word: str) -> str:
    listed = ", ".join(names[:_LISTED]) + (", …" if len(names) > _LISTED else "")
    return f"{_plural(len(names), word)} ({listed})"


def _plural(n: int, word: str) -> str:
    return f"{_count(n)} {word}{'' if n == 1 else 's'}"


def _count(n: int) -> str:
    return _NUMBERS[n] if n < len(_NUMBERS) else f"{n:,}"
