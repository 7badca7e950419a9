"""Cells of a study's tables: numbers in print, and where they come from."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from gordium.report.pages.html import Cell
from gordium.report.statistics.seeds import SeedLine

LISTED = 40


def mean_cell(line: SeedLine) -> Cell:
    """Mean ± std, the interval, and how many runs were discarded."""
    missing = f"{line.n_missing} without a number" if line.n_missing else ""
    notes = (say_discarded(line.n_discarded), missing)
    title = provenance(line.runs, line.seeds, line.versions, *notes)
    gone = f" (−{line.n_discarded})" if line.n_discarded else ""
    if not line.n:
        return Cell(f"–{gone}", title, np.nan)
    spread = f" ± {line.std:.3f}" if np.isfinite(line.std) else ""
    return Cell(f"{line.mean:.3f}{spread}{ends(line.low, line.high)}{gone}", title, line.mean)


def all_runs(group: pd.DataFrame) -> str:
    """The provenance of a number that comes from all runs of a frame."""
    runs = group.drop_duplicates("run")
    versions = sorted(set(runs["version"].dropna()))
    return provenance(runs["run"].tolist(), runs["seed"].tolist(), versions)


def word(value: Any) -> str:
    """A value as text; NaN is empty."""
    if isinstance(value, float):
        return "" if np.isnan(value) else f"{value:g}"
    return str(value)


def label(text: str) -> Cell:
    """A cell with a name, which is sorted as a number if it is one."""
    try:
        return Cell(text, value=float(text))
    except ValueError:
        return Cell(text)


def ends(low: float, high: float) -> str:
    """An interval in brackets, if there is one."""
    return f" [{low:.3f}, {high:.3f}]" if np.isfinite(low) else ""


def shorten(value: float) -> str:
    """A number with two digits."""
    return f"{value:.2g}" if np.isfinite(value) else "–"


def percent(value: float) -> str:
    """A share in per cent."""
    return f"{100 * value:.1f} %" if np.isfinite(value) else "–"


def provenance(
    runs: Sequence[str], seeds: Sequence[object], versions: Sequence[object], *notes: str
) -> str:
    """The number of runs, their seeds, keys and known versions; lists are cut after forty."""
    parts = [f"n = {len(runs)}", *(note for note in notes if note)]
    if runs:
        parts += [f"seeds {_list(list(dict.fromkeys(seeds)))}", f"runs {_list(runs)}"]
        known = [version for version in versions if isinstance(version, str)]
        parts += [f"gordium {', '.join(known)}"] if known else []
    return "; ".join(parts)


def say_discarded(n: int) -> str:
    """How many runs were discarded, if any were."""
    return f"{n} discarded" if n else ""


def _list(names: Sequence[object]) -> str:
    shown = ", ".join(map(str, names[:LISTED]))
    more = len(names) - LISTED
    return shown if more <= 0 else f"{shown} and {more} more, all in the rows below"
