"""The report of a study: one page, and its tables as Markdown and LaTeX."""

import os
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from gordium.files import plain_name, write_text
from gordium.report.frame import frame_of
from gordium.report.pages.study_page import study_page
from gordium.report.pages.tables import latex_table, markdown_table, summary_grid
from gordium.report.rows import Row, fresh_rows
from gordium.report.statistics.seeds import seed_summary
from gordium.report.study_rows import study_rows
from gordium.study.store import Store

PAGE = "report.html"


def study_frame(rows: Iterable[Row]) -> pd.DataFrame:
    """The rows of a study as a frame, without those by which a change was learned or chosen."""
    return frame_of(fresh_rows(rows))


def write_report(store: Store, out: Path, command: str, *, discard: Iterable[str] = ()) -> Path:
    """Write `report.html` and tables of each metric; the page counts what was discarded."""
    frame = study_frame(study_rows(store))
    if frame.empty:
        raise ValueError(f"{store.folder} has no finished run yet; nothing can be summed up.")
    metrics = frame.loc[~frame["failed"], "metric"].unique()  # a failed run has none
    for metric in metrics:
        plain_name(metric, "the name of a metric, which is part of a file's name here,")
    declaration = store.declaration()
    links = {key: _pages(store.run_folder(key), out) for key in frame["run"].unique()}
    text = study_page(
        frame, declaration, command, title=declaration["name"], discard=discard, links=links
    )
    write_text(out / PAGE, text)
    summary = seed_summary(frame, discard=discard)
    strengths = frame.groupby("method")["strength"].nunique()
    by = ("method", "strength") if (strengths > 1).any() else ("method",)
    for metric in metrics:
        grid = summary_grid(summary[summary["metric"] == metric], rows=by)
        write_text(out / f"table-{metric}.md", markdown_table(grid))
        write_text(out / f"table-{metric}.tex", latex_table(grid))
    return out / PAGE


def _pages(folder: Path, out: Path) -> list[tuple[str, str]]:
    """Links from the report to the pages that lie in a run's folder."""
    names = {"explore.html": "Touch it: its explorer", "explain.html": "Why it is as it is"}
    return [
        (Path(os.path.relpath(folder / name, out)).as_posix(), text)
        for name, text in names.items()
        if (folder / name).exists()
    ]
