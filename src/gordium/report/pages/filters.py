"""The form that chooses what a study's tables and figures show."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

import pandas as pd

from gordium.report.names import say_metric, sort_names
from gordium.report.pages.cells import word

_LABELS = {"dataset": "data set", "variant": "variant", "method": "method", "strength": "strength"}


def form(frame: pd.DataFrame, metrics: Sequence[str]) -> str:
    """Choices of data set, variant, method and strength if there are several, and of metric."""
    parts = []
    for name, label in _LABELS.items():
        values = frame[name].dropna()
        names = [word(v) for v in sorted(set(values))] if name == "strength" else sort_names(values)
        if len(names) > 1:
            parts.append(_select(name, label, {"": "all", **{value: value for value in names}}))
    parts.append(_select("metric", "metric", {m: say_metric(m) for m in metrics}))
    reset = '<button type="reset">Show all</button>' if len(parts) > 1 else ""
    return (
        f'<form id="filters" aria-label="What tables and figures show">{"".join(parts)}{reset}'
        "</form>"
    )


def choice(name: str, label: str, metrics: Iterable[str]) -> str:
    """A choice of a metric, outside of the form."""
    options = _options({m: say_metric(m) for m in metrics})
    return f'<label class="choice">{escape(label)} <select id="{name}">{options}</select></label>'


def _select(name: str, label: str, options: Mapping[str, str]) -> str:
    return f'<label>{label}<select name="{name}">{_options(options)}</select></label>'


def _options(words: Mapping[str, str]) -> str:
    lines = (f'<option value="{escape(v)}">{escape(text)}</option>' for v, text in words.items())
    return "".join(lines)
