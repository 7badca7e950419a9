"""Verdicts on claims, from rows in files; docs/verdict-rules.md has the rules."""

from pathlib import Path

import pandas as pd

from gordium.exhibits.catalogue import CATALOGUE
from gordium.exhibits.demo.page import CHOSEN_BY
from gordium.report.frame import frame_of
from gordium.report.rows import read_rows as read_run_rows
from gordium.report.statistics.claims import Claim
from gordium.report.statistics.verdicts import Verdict, settle

RUNGS = {  # folders of results
    "demo-1": "three factors of Shapes3D",
    "demo-1-turned": "three factors, turned copies",
    "demo-1-scale": "floor hue, scale and orientation",
    "demo-1-designed": "floor hue, scale and orientation, designed",
    "demo-dsprites": "dSprites",
}


def read_rows(path: Path) -> pd.DataFrame:
    """Read the rows of an exhibit as a frame, its numbers to the last bit."""
    if pd.__version__.startswith("2."):  # later versions read every bit by themselves
        return pd.read_csv(path, float_precision="round_trip")
    return pd.read_csv(path)


def read_repetitions(folder: Path, table: str = "rows.csv") -> pd.DataFrame:
    """Read the fresh runs of all repetitions of the demo in a folder, from K/`table` of each."""
    files = sorted(folder.glob(f"[0-9]*/{table}"), key=lambda path: int(path.parent.name))
    frames = [
        frame_of(read_run_rows(path)).assign(repetition=int(path.parent.name)) for path in files
    ]
    if not frames:
        return pd.DataFrame()
    found = pd.concat(frames, ignore_index=True)
    return found[~found["variant"].str.startswith(CHOSEN_BY)]


def judge(name: str, rows: pd.DataFrame, *, scale: str) -> list[Verdict]:
    """Judge the claims of an exhibit from nothing but its rows."""
    return settle(CATALOGUE[name].claims(rows), exhibit=name, scale=scale)


def judge_demo(claims: list[Claim], *, name: str = "demo") -> list[Verdict]:
    """Judge claims about repetitions of the demo; `name` is the part of it that they are about."""
    return settle(claims, exhibit=name, scale="demo")
