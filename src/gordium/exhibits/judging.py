"""What each exhibit claims, as a function of its rows; docs/verdict-rules.md has the rules."""

from pathlib import Path

import pandas as pd

from gordium.exhibits.catalogue import CATALOGUE
from gordium.exhibits.zietlow2021.claims import headline
from gordium.report.statistics.verdicts import Verdict, settle


def read_rows(path: Path) -> pd.DataFrame:
    """The rows of an exhibit as a frame."""
    return pd.read_csv(path)


def judge(name: str, rows: pd.DataFrame, *, scale: str) -> list[Verdict]:
    """The verdicts of an exhibit, from nothing but its rows."""
    return settle(CATALOGUE[name].claims(rows), exhibit=name, scale=scale)


def judge_headline(rows: pd.DataFrame) -> list[Verdict]:
    """The verdicts of the demo's repetitions."""
    return settle(headline(rows), exhibit="demo", scale="demo")
