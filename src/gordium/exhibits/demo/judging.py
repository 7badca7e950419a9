"""Verdicts on what repetitions of the demo say, from rows in files."""

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from gordium.exhibits.demo.claims import (
    claim_controls,
    claim_noise,
    claim_others,
    claim_published,
    claim_retuned,
    claim_rung,
)
from gordium.report.frame import frame_of
from gordium.report.rows import Row, fresh_rows, read_rows
from gordium.report.statistics.claims import Claim
from gordium.report.statistics.verdicts import Verdict, settle_together

DEMO = "demo"
MORE = ("methods", "scores", "retuned", "longer")  # files beside the rows of a repetition


class Rung(NamedTuple):
    """What a rung's claims call its images or machine, and when their rule was written.

    Where runs are long enough for it, the published "noise has little effect" has a line.
    """

    words: str
    rule_date: str
    noise_stays: bool = False


RUNGS = {  # by their folders of results
    "demo-0-longer": Rung("the demo, longer runs", "2026-11-19", noise_stays=True),
    "demo-1": Rung("three factors of Shapes3D", "2026-11-17"),
    "demo-1-turned": Rung("three factors, turned copies", "2026-11-17"),
    "demo-1-scale": Rung("floor hue, scale and orientation", "2026-11-18"),
    "demo-1-designed": Rung("floor hue, scale and orientation, designed", "2026-11-18"),
    "demo-2-designed": Rung("four factors, designed", "2026-11-18"),
    "demo-3-designed": Rung("six factors, designed", "2026-11-18"),
    "demo-dsprites": Rung("dSprites", "2026-11-17"),
    "demo-dsprites-more": Rung("dSprites, repetitions 3 to 7", "2026-11-18"),
    "demo-dsprites-designed": Rung("dSprites, designed", "2026-11-19"),
    "demo-intel": Rung("the demo on an Intel processor", "2026-11-18"),
    "demo-avx512": Rung("the demo on an AMD processor with AVX-512", "2026-11-19"),
}


class Table(NamedTuple):
    """The rows of a rung's repetitions, and those of other methods on the same images."""

    rows: pd.DataFrame
    methods: pd.DataFrame


def read_repetitions(folder: Path, table: str = "rows.csv") -> pd.DataFrame:
    """Read the fresh runs of all repetitions of the demo in a folder, from K/`table` of each.

    Folders whose names are no numbers are passed over.
    """
    numbered = {int(p.name): p / table for p in folder.glob("*") if p.name.isdecimal()}
    return join_repetitions(
        {k: fresh_rows(read_rows(path)) for k, path in sorted(numbered.items()) if path.exists()}
    )


def join_repetitions(rows: Mapping[int, Sequence[Row]]) -> pd.DataFrame:
    """Join the rows of repetitions in one frame, with their numbers as the column `repetition`."""
    frames = [frame_of(own).assign(repetition=number) for number, own in rows.items() if own]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()


def read_more(folder: Path) -> dict[str, pd.DataFrame]:
    """Read what was trained on the images of the demo's repetitions beside their fresh runs."""
    return {name: read_repetitions(folder, f"{name}.csv") for name in MORE}


def read_ladder(results: Path) -> dict[str, Table]:
    """Read the rungs that have repetitions in a folder of results; other methods may be none."""
    found = {
        name: Table(
            read_repetitions(results / name), read_repetitions(results / name, "methods.csv")
        )
        for name in RUNGS
    }
    return {name: table for name, table in found.items() if len(table.rows)}


def judge_demo(fresh: pd.DataFrame, more: Mapping[str, pd.DataFrame]) -> dict[str, list[Verdict]]:
    """Judge all that repetitions of the demo say, one correction running over the whole.

    `more` may hold tables as `read_more` gives them.
    """
    methods, scores, retuned, longer = (more.get(name, pd.DataFrame()) for name in MORE)
    parts = {
        "demo": claim_published(fresh, methods, scores),
        "demo-retuned": claim_retuned(fresh, retuned) if len(retuned) else [],
        "demo-controls": claim_controls(fresh, longer),
    }
    return settle_together(parts, scale=DEMO)


def judge_ladder(tables: Mapping[str, Table]) -> dict[str, list[Verdict]]:
    """Judge the rungs, each with images or a processor of its own.

    They are one table, and one correction runs over all of them.
    """
    return settle_together(
        {name: _claim_on_rung(name, *table) for name, table in tables.items()}, scale=DEMO
    )


def _claim_on_rung(name: str, rows: pd.DataFrame, methods: pd.DataFrame) -> list[Claim]:
    """What is claimed of a rung; methods that not all of its repetitions have are left out."""
    words, rule_date, noise_stays = RUNGS[name]
    claims = claim_rung(rows, words, rule_date)
    if noise_stays:
        claims.append(claim_noise(rows, words, rule_date))
    if len(methods):
        held = methods.groupby("method")["repetition"].transform("nunique")
        whole = methods[held == rows["repetition"].nunique()]
        claims += claim_others(whole, words, rule_date)
    return claims


def judge_repetitions(name: str, rows: pd.DataFrame, methods: pd.DataFrame) -> list[Verdict]:
    """Judge repetitions by the rules of their study of that name: of a rung, or of the demo."""
    if name in RUNGS:
        return judge_ladder({name: Table(rows, methods)})[name]
    return list(chain.from_iterable(judge_demo(rows, {"methods": methods}).values()))
