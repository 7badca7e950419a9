"""Verdicts on claims, from rows in files; docs/verdict-rules.md has the rules."""

from pathlib import Path

import pandas as pd

from gordium.exhibits.catalogue import CATALOGUE
from gordium.report.statistics.verdicts import Verdict, settle


def read_rows(path: Path) -> pd.DataFrame:
    """Read the rows of an exhibit as a frame, its numbers to the last bit."""
    if pd.__version__.startswith("2."):  # later versions read every bit by themselves
        return pd.read_csv(path, float_precision="round_trip")
    return pd.read_csv(path)


def judge(name: str, rows: pd.DataFrame, *, scale: str) -> list[Verdict]:
    """Judge the claims of an exhibit from nothing but its rows."""
    return settle(CATALOGUE[name].claims(rows), exhibit=name, scale=scale)
