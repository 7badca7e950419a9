"""One page for a study: its numbers, what they come from, and how to make it again."""

import dataclasses
import gzip
import json
from collections.abc import Iterable
from typing import Any

import pandas as pd

from gordium.report.frame import check_flags, keep
from gordium.report.pages import html as page
from gordium.report.pages import study_figures, study_tables
from gordium.report.statistics.agreement import UNSUPERVISED
from gordium.report.statistics.downstream import EFFICIENCY, FEW, MANY, with_efficiency

_NO_SCORES = {*UNSUPERVISED, "active_units", FEW, MANY, EFFICIENCY}


def study_page(
    frame: pd.DataFrame,
    declaration: Any,
    command: str,
    *,
    title: str = "Study",
    discard: Iterable[str] = (),
) -> str:
    """A self-contained page; every section that the rows can fill, no others.

    Every number tells its runs, seeds and version on hover, and all rows can be saved from the
    page. `declaration` is a value of JSON, a dataclass or text. Bad runs are counted, and left
    out only where `discard` names their flag.
    """
    discard = tuple(check_flags(discard))
    kept = keep(frame, discard)
    rows = with_efficiency(frame) if {FEW, MANY} <= set(frame["metric"]) else frame
    left = keep(rows, discard).frame
    scores = [name for name in dict.fromkeys(frame["metric"]) if name not in _NO_SCORES]
    flags = ", ".join(discard)
    parts = [
        page.paragraph(f"{kept}{f' ({flags})' if flags else ''}. {_size(frame)}"),
        page.paragraph("Hover over a number for its runs; click a column to sort.", small=True),
        *study_tables.summaries(rows, discard),
        *study_figures.spreads(left, scores),
        *study_tables.variants(frame, discard),
        *study_tables.correlations(left, scores),
        *study_tables.choosing(left, scores),
        *study_tables.variances(left, scores),
        *study_tables.transfers(left, scores),
        *study_figures.strengths(frame, scores, discard),
        page.heading("Run it again"),
        page.code(command),
        page.fold("The declaration", page.code(_declared(declaration))),
        page.download("rows.csv.gz", _packed(frame), f"All {len(frame)} rows, as rows.csv.gz"),
    ]
    return page.render_page(title, parts)


def _size(frame: pd.DataFrame) -> str:
    counts = {
        "data sets": frame["dataset"].nunique(),
        "variants": frame["variant"].nunique(),
        "methods": frame["method"].nunique(),
        "seeds": frame["seed"].nunique(),
        "metrics": frame["metric"].nunique(),
    }
    versions = ", ".join(sorted(set(frame["version"].astype(str))))
    return f"{', '.join(f'{name}: {n}' for name, n in counts.items())}; gordium {versions}."


def _declared(declaration: Any) -> str:
    if isinstance(declaration, str):
        return declaration
    if dataclasses.is_dataclass(declaration) and not isinstance(declaration, type):
        declaration = dataclasses.asdict(declaration)
    return json.dumps(declaration, indent=2, default=str)


def _packed(frame: pd.DataFrame) -> bytes:
    return gzip.compress(frame.to_csv(index=False).encode(), compresslevel=6, mtime=0)
