"""The figures of a study's page: places for what its script draws, and files for papers."""

from collections.abc import Sequence
from html import escape

import numpy as np
import pandas as pd

from gordium.report.figures.images import to_pdf, to_png
from gordium.report.figures.papers import every_run
from gordium.report.pages import html as page
from gordium.report.pages.filters import choice

MOST_METRICS = 4  # rows of a figure for a paper


def runs() -> list[str]:
    """The place of a single run; then all runs, as points of figures and lines of a table."""
    text = (
        "Every point is a run: point at it for its seed, press it for all its scores. Bars are "
        "95 % intervals of the mean, where all runs of a method have one setting; boxes are drawn "
        "behind ten or more runs. All panels share their axes; the menu of a figure saves it."
    )
    head = ("run", "method", "strength", "seed", "data set", "variant")
    names = "".join(f'<th scope="col"><button type="button">{n}</button></th>' for n in head)
    last = '<th scope="col"><button type="button" id="metric-name">value</button></th>'
    top = f'<thead><tr>{names}{last}<th scope="col">note</th></tr></thead>'
    table = page.scroll(f'<table class="sortable">{top}<tbody id="runs"></tbody></table>', "Runs")
    listed = f'{table}<p class="small" id="more-runs"></p>'
    return [
        '<section id="run" tabindex="-1" aria-label="One run" hidden></section>',
        page.heading("Every run", anchor="every"),
        page.paragraph(text, small=True),
        '<ul class="key" data-of="method" aria-label="Methods"></ul>',
        '<div class="panels" id="every-run"></div>',
        '<p id="nothing" class="small" hidden>No run fits the choice.</p>',
        page.fold("The runs as a list, highest first", listed),
    ]


def strengths(left: pd.DataFrame) -> list[str]:
    """Scores along the strength of the regulariser, if any method has several strengths."""
    counts = left.groupby(["dataset", "method"])["strength"].nunique()
    if counts.empty or counts.max() < 2:
        return []
    text = "Lines join means; bars are 95 % intervals; points are runs. Strengths stand evenly."
    return [
        page.heading("Along the strength"),
        page.paragraph(text, small=True),
        '<ul class="key" data-of="variant" aria-label="Variants"></ul>',
        '<div class="panels" id="strengths"></div>',
        '<p id="no-strengths" class="small" hidden>No method shown has several strengths.</p>',
    ]


def plot_against(metrics: Sequence[str]) -> list[str]:
    """One metric against another, if there are two."""
    if len(metrics) < 2:
        return []
    others = ["reconstruction", *metrics] if "reconstruction" in metrics[1:] else metrics
    return [
        page.heading("One metric against another"),
        choice("other", "across:", dict.fromkeys(others)),
        '<ul class="key" data-of="method" aria-label="Methods"></ul>',
        '<div class="panels" id="against"></div>',
    ]


def papers(left: pd.DataFrame, scores: Sequence[str]) -> list[str]:
    """A figure of each data set to save as PDF and PNG; both are part of the page."""
    used = left[left["metric"].isin(scores) & np.isfinite(left["value"])]
    parts = []
    for dataset, rows in used.groupby("dataset", sort=False):
        shown = [name for name in scores if name in set(rows["metric"])][:MOST_METRICS]
        figure = every_run(rows[rows["metric"].isin(shown)], shown)
        files = [("png", to_png(figure))]
        figure.set_layout_engine("none")  # keep the layout, which takes most of the time
        files.append(("pdf", to_pdf(figure)))
        links = [page.download(f"{dataset}.{e}", data, e.upper()) for e, data in files]
        parts.append(f"<li>{escape(str(dataset))}: {', '.join(links)}</li>")
    if not parts:
        return []
    text = f"Every run of the first {MOST_METRICS} scores, a panel a variant."
    listed = f"<ul>{''.join(parts)}</ul>"
    return [page.heading("Figures for a paper"), page.paragraph(text, small=True), listed]
