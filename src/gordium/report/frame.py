"""Rows as a data frame: one number a line, checked once, with bad runs counted."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd

from gordium.report.rows import Row

# What statistics need of a row.
COLUMNS = tuple(
    name for name in Row._fields if name not in ("steps", "n_images", "hyperparameters", "torch")
)
FLAGS = ("failed", "over_pruned")
SETTING = ("dataset", "variant", "method", "strength")


class Kept(NamedTuple):
    """The rows that are left, and the numbers of all runs, of bad ones and of those left out."""

    frame: pd.DataFrame
    n_runs: int
    n_failed: int
    n_over_pruned: int
    n_discarded: int

    def __str__(self) -> str:
        return (
            f"{self.n_runs} runs, {self.n_failed} failed, {self.n_over_pruned} over-pruned; "
            f"{self.n_discarded} discarded"
        )


def check_frame(frame: pd.DataFrame) -> None:
    """Refuse a frame that lacks columns, has flags that are no truth values, or a number twice."""
    missing = [name for name in COLUMNS if name not in frame]
    if missing:
        raise ValueError(f"a frame of rows lacks the columns {', '.join(missing)}.")
    for name in FLAGS:
        if frame[name].dtype != bool:
            raise TypeError(f"column {name} must be true or false; got {frame[name].dtype}.")
    twice = frame.duplicated(["run", "metric"])
    if twice.any():
        run, metric = frame.loc[twice, ["run", "metric"]].iloc[0]
        raise ValueError(f"run {run} has more than one value of {metric}; keep one of them.")


def frame_of(rows: Iterable[Row]) -> pd.DataFrame:
    """Rows as a frame, with numbers that may be missing as floats and flags as truth values."""
    frame = pd.DataFrame(list(rows), columns=Row._fields)
    for name in ("strength", "value", "active_units"):
        frame[name] = frame[name].astype(float)
    for name in FLAGS:
        frame[name] = [bool(flag) for flag in frame[name]]
    return frame


def keep(frame: pd.DataFrame, discard: Iterable[str] = ()) -> Kept:
    """Leave out the runs with one of the named flags, `failed` or `over_pruned`; count them."""
    is_left_out = find_discarded(frame, discard)
    runs = frame[["run", *FLAGS]].groupby("run").any()
    return Kept(
        frame[~is_left_out],
        len(runs),
        int(runs["failed"].sum()),
        int(runs["over_pruned"].sum()),
        int(frame.loc[is_left_out, "run"].nunique()),
    )


def find_discarded(frame: pd.DataFrame, discard: Iterable[str]) -> "pd.Series[bool]":
    """Whether each row has one of the named flags; anything but a frame of rows is refused."""
    check_frame(frame)
    return frame[check_flags(discard)].any(axis=1)


def check_flags(discard: Iterable[str]) -> list[str]:
    """The flags to discard by; an unknown one is a ValueError."""
    flags = [discard] if isinstance(discard, str) else list(discard)
    unknown = sorted(set(flags) - set(FLAGS))
    if unknown:
        raise ValueError(f"discard takes {' and '.join(FLAGS)}; got {', '.join(unknown)}.")
    return flags


def pivot_runs(frame: pd.DataFrame) -> pd.DataFrame:
    """One line a run, one column a metric; numbers that are not finite are missing."""
    finite = frame[np.isfinite(frame["value"])]
    return finite.pivot(index="run", columns="metric", values="value").rename_axis(columns=None)


def settings_by_run(frame: pd.DataFrame) -> pd.DataFrame:
    """One line a run: what it was trained on and with, and by which version."""
    return frame.drop_duplicates("run").set_index("run")[[*SETTING, "seed", "version"]]
