"""The page of a study: what it answers, its numbers, and how to run it again."""

import gzip
import json
from collections.abc import Iterable
from typing import Any

import pandas as pd

from gordium.report.frame import check_flags, keep
from gordium.report.names import say_metric, sort_rows
from gordium.report.pages import html as page
from gordium.report.pages import study_figures, study_tables, vega
from gordium.report.pages.answers import HEAD, answer
from gordium.report.pages.filters import form
from gordium.report.pages.study_content import Links, as_script, study_content
from gordium.report.statistics.agreement import UNSUPERVISED

_NO_SCORES = {*UNSUPERVISED, "active_units"}
_SCRIPTS = ("filters.js", "charts.js", "runs.js")


def study_page(
    frame: pd.DataFrame,
    declaration: Any,
    command: str,
    *,
    title: str = "Study",
    discard: Iterable[str] = (),
    links: Links | None = None,
) -> str:
    """A self-contained page: the answer first, then every section that the rows can fill.

    A form chooses data set, variant, method, strength and metric for all tables and figures.
    Every number tells its runs, seeds and version on hover, every run has its own place, and all
    rows can be saved from the page. Bad runs are counted, and left out only if `discard` names
    their flag. `links` are pages of runs beside the report, by the runs' keys.
    """
    discard = tuple(check_flags(discard))
    given, frame = frame, sort_rows(frame)
    content = study_content(frame, discard, links)
    metrics = list(content["values"])
    scores = [name for name in metrics if name not in _NO_SCORES]
    left = keep(frame, discard).frame
    parts = [
        *_answer(frame, next(iter(scores or metrics), None), discard),
        *([form(frame, [*scores, *(m for m in metrics if m not in scores)])] if metrics else []),
        *(study_figures.runs() if metrics else []),
        *study_tables.summaries(frame, discard),
        *study_figures.strengths(left),
        *study_tables.variants(frame, discard),
        *study_figures.plot_against(metrics),
        *study_tables.correlations(left, scores),
        *study_tables.compare_choices(left, scores),
        *study_tables.variances(left, scores),
        *study_tables.transfers(left, scores),
        *study_figures.papers(left, scores),
        *_say_how_again(given, declaration, command, discard),
        as_script(content),
    ]
    scripts = [vega.script(), page.join_scripts(_SCRIPTS)] if metrics else []
    return page.render_page(title, parts, style=page.asset("study.css"), scripts=scripts)


def _answer(frame: pd.DataFrame, metric: str | None, discard: tuple[str, ...]) -> list[str]:
    found = answer(frame, metric, discard)
    head = (*HEAD[:2], f"highest {say_metric(metric or '')}", *HEAD[3:])
    best = page.table(head, found.best) if found.best else ""
    changes = page.sentences(found.changes) if found.changes else ""
    text = page.paragraph(found.compared) + best + changes + page.paragraph(found.how_sure)
    return [f'<section class="answer" aria-label="The answer">{text}</section>']


def _say_how_again(
    frame: pd.DataFrame, declaration: Any, command: str, discard: tuple[str, ...]
) -> list[str]:
    kept = keep(frame, discard)
    flags = f" ({', '.join(discard)})" if discard else ""
    versions = ", ".join(sorted({v for v in frame["version"] if isinstance(v, str)}))
    packed = gzip.compress(frame.to_csv(index=False).encode(), compresslevel=6, mtime=0)
    rows = page.download("rows.csv.gz", packed, f"All {len(frame)} rows, as rows.csv.gz")
    return [
        page.heading("Run it again"),
        page.paragraph(f"{kept}{flags}. Made with gordium {versions}."),
        page.code(command),
        page.fold("The declaration", page.code(json.dumps(declaration, indent=2))),
        f"<p>{rows}</p>",
    ]
