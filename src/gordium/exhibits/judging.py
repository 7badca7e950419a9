"""What each exhibit claims, as a function of its rows; docs/verdict-rules.md has the rules."""

from pathlib import Path

import pandas as pd

from gordium.exhibits.catalogue import CATALOGUE
from gordium.exhibits.zietlow2021.claims import headline, headline_methods, ladder
from gordium.exhibits.zietlow2021.retuned_claims import headline_retuned
from gordium.exhibits.zietlow2021.score_claims import headline_scores
from gordium.report.frame import frame_of
from gordium.report.rows import read_rows as read_run_rows
from gordium.report.statistics.verdicts import Verdict, settle

RUNGS = {"demo-1": "three factors of Shapes3D", "demo-dsprites": "dSprites"}  # folders of results


def read_rows(path: Path) -> pd.DataFrame:
    """The rows of an exhibit as a frame, its numbers to the last bit."""
    if pd.__version__.startswith("2."):  # later ones do so by themselves
        return pd.read_csv(path, float_precision="round_trip")
    return pd.read_csv(path)


def read_repetitions(folder: Path, table: str = "rows.csv") -> pd.DataFrame:
    """The fresh runs of all repetitions of the demo in a folder, K/`table` of each."""
    files = sorted(folder.glob(f"[0-9]*/{table}"), key=lambda path: int(path.parent.name))
    frames = [
        frame_of(read_run_rows(path)).assign(repetition=int(path.parent.name)) for path in files
    ]
    if not frames:
        return pd.DataFrame()
    found = pd.concat(frames, ignore_index=True)
    return found[~found["variant"].str.startswith(("search", "probe"))]


def judge(name: str, rows: pd.DataFrame, *, scale: str) -> list[Verdict]:
    """The verdicts of an exhibit, from nothing but its rows."""
    return settle(CATALOGUE[name].claims(rows), exhibit=name, scale=scale)


def judge_headline(rows: pd.DataFrame) -> list[Verdict]:
    """The verdicts of the demo's repetitions."""
    return settle(headline(rows), exhibit="demo", scale="demo")


def judge_headline_methods(rows: pd.DataFrame) -> list[Verdict]:
    """The verdicts of the other methods in the demo's repetitions, K/methods.csv."""
    return settle(headline_methods(rows), exhibit="demo-methods", scale="demo")


def judge_retuned(rows: pd.DataFrame, retuned: pd.DataFrame) -> list[Verdict]:
    """The verdicts of the repetitions that were trained at other strengths, K/retuned.csv."""
    return settle(headline_retuned(rows, retuned), exhibit="demo-retuned", scale="demo")


def judge_headline_scores(rows: pd.DataFrame) -> list[Verdict]:
    """The verdicts of other scores of the same runs, K/scores.csv."""
    return settle(headline_scores(rows), exhibit="demo-scores", scale="demo")


def judge_rung(name: str, rows: pd.DataFrame) -> list[Verdict]:
    """The verdicts of the repetitions on another rung than the first."""
    return settle(ladder(rows, RUNGS[name]), exhibit=name, scale="demo")
