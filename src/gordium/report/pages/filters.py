"""The form that chooses what a study's tables and figures show."""

from collections.abc import Iterable, Sequence
from html import escape

import pandas as pd

from gordium.report.names import say_metric, sort_names
from gordium.report.pages.cells import word

_LABELS = {
    "dataset": "data set",
    "variant": "variant",
    "method": "method",
    "strength": "strength",
}


def form(frame: pd.DataFrame, metrics: Sequence[str]) -> str:
    """A choice of each kind that has several values, and of the metric."""
    parts = []
    for name, label in _LABELS.items():
        values = frame[name].dropna()
        names = [word(v) for v in sorted(set(values))] if name == "strength" else sort_names(values)
        if len(names) > 1:
            options = [("", "all"), *((value, value) for value in names)]
            parts.append(_select(name, label, options))
    parts.append(_select("metric", "metric", [(m, say_metric(m)) for m in metrics]))
    reset = '<button type="reset">Show all</button>' if len(parts) > 1 else ""
    return (
        f'<form id="filters" aria-label="What tables and figures show">{"".join(parts)}{reset}'
        "</form>"
    )


def choice(name: str, label: str, metrics: Iterable[str]) -> str:
    """A choice of a metric, outside of the form."""
    options = "".join(
        f'<option value="{escape(m)}">{escape(say_metric(m))}</option>' for m in metrics
    )
    return f'<label class="choice">{escape(label)} <select id="{name}">{options}</select></label>'


def _select(name: str, label: str, options: Sequence[tuple[str, str]]) -> str:
    lines = "".join(
        f'<option value="{escape(value)}">{escape(text)}</option>' for value, text in options
    )
    return f'<label>{label}<select name="{name}">{lines}</select></label>'
