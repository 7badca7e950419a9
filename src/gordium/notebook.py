"""HTML that values show themselves by in notebooks: small tables and pictures."""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any


def facts(title: str, pairs: Iterable[tuple[str, object]], *more: str) -> str:
    """A title, named facts in two columns, and pictures or tables below."""
    rows = "".join(
        f'<tr><th style="text-align:left">{escape(name)}</th>'
        f'<td style="text-align:left">{escape(str(value))}</td></tr>'
        for name, value in pairs
    )
    return f"<div><b>{escape(title)}</b><table>{rows}</table>{''.join(more)}</div>"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table with a head."""

    def line(tag: str, cells: Sequence[object]) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(str(c))}</{tag}>" for c in cells) + "</tr>"

    return f"<table>{line('th', head)}{''.join(line('td', row) for row in rows)}</table>"


def picture(png: bytes, words: str) -> str:
    """A PNG as HTML that needs no other file."""
    source = f"data:image/png;base64,{b64encode(png).decode()}"
    return f'<img alt="{escape(words)}" style="max-width:100%" src="{source}">'


def shorten(value: Any) -> str:
    """A number with four digits, anything else as it is."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
