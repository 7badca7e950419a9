"""Parts of a self-contained HTML page: text, tables and pictures; nothing is fetched."""

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from gordium.files import write_text

Attributes = Mapping[str, str]


class Cell(NamedTuple):
    """A cell of a table: its text, what shows on hover, and the number that it is sorted by."""

    text: str
    title: str = ""
    value: float | None = None


def heading(text: str, *, anchor: str = "") -> str:
    """The heading of a section; links find it by its `anchor`."""
    place = f' id="{escape(anchor)}"' if anchor else ""
    return f"<h2{place}>{escape(text)}</h2>"


def sentences(texts: Sequence[str]) -> str:
    """A list of sentences."""
    return f"<ul>{''.join(f'<li>{escape(text)}</li>' for text in texts)}</ul>"


def paragraph(text: str, *, small: bool = False) -> str:
    """A paragraph of text."""
    return f'<p class="small">{escape(text)}</p>' if small else f"<p>{escape(text)}</p>"


def table(head: Sequence[str], body: Sequence[Sequence[object]]) -> str:
    """A table of text."""
    lines = "".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in body
    )
    top = _head(head) if any(head) else ""
    return scroll(f"<table>{top}<tbody>{lines}</tbody></table>")


def scroll(table: str, label: str = "Table") -> str:
    """A table in a region that scrolls sideways, also by keys, if the page is too narrow."""
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(label)}">{table}</div>'
    )


def picture(png: bytes, caption: str) -> str:
    """A picture with a caption; its bytes are part of the page."""
    source = f"data:image/png;base64,{b64encode(png).decode()}"
    text = escape(caption)
    return f'<figure><img alt="{text}" src="{source}"><figcaption>{text}</figcaption></figure>'


def code(text: str) -> str:
    """Text as it was typed, in a fixed width."""
    return f"<pre>{escape(text)}</pre>"


def fold(title: str, content: str) -> str:
    """Content that a click on its title shows."""
    return f"<details><summary>{escape(title)}</summary>{content}</details>"


def sortable_table(
    head: Sequence[str], body: Sequence[Sequence[Cell]], keys: Sequence[Attributes] = ()
) -> str:
    """A table that a press on a column's name sorts; what a cell comes from shows on hover.

    `keys` say what each line is about: a choice on the page then hides lines that do not fit.
    """
    names = "".join(
        f'<th scope="col"><button type="button">{escape(name)}</button></th>' for name in head
    )
    marks = [_data(key) for key in keys] or [""] * len(body)
    lines = "".join(
        f"<tr{mark}>" + "".join(map(_cell, line)) + "</tr>"
        for mark, line in zip(marks, body, strict=True)
    )
    kinds = "sortable filterable" if keys else "sortable"
    whole = f"<thead><tr>{names}</tr></thead><tbody>{lines}</tbody>"
    table = scroll(f'<table class="{kinds}">{whole}</table>')
    if not keys:
        return table
    empty = '<p class="small empty" hidden>No line fits the choice.</p>'
    return f'<div class="filtered">{table}{empty}</div>'


def matrix(head: Sequence[str], body: Sequence[Sequence[Any]], *, title: str = "") -> str:
    """Numbers from -1 to 1 with bars of their size; a line begins with its name."""
    lines = []
    for name, *numbers in body:
        cells = "".join(_bar(value, title) for value in numbers)
        lines.append(f'<tr><th scope="row">{escape(str(name))}</th>{cells}</tr>')
    return scroll(f'<table class="matrix">{_head(head)}<tbody>{"".join(lines)}</tbody></table>')


def hide_others(key: Attributes, summary: str, content: str) -> str:
    """Content of one data set and variant, which is hidden when another one is chosen."""
    return f"<details data-only{_data(key)}><summary>{escape(summary)}</summary>{content}</details>"


def link(address: str, text: str) -> str:
    """A link to a file beside the page."""
    return f'<p><a href="{escape(address)}">{escape(text)}</a></p>'


def download(name: str, data: bytes, text: str) -> str:
    """A link that saves `data`, which is part of the page."""
    source = f"data:application/octet-stream;base64,{b64encode(data).decode()}"
    return f'<a download="{escape(name)}" href="{source}">{escape(text)}</a>'


def render_page(
    title: str, parts: Sequence[str], *, style: str = "", scripts: Sequence[str] = ()
) -> str:
    """The page as text; `parts` come from the functions above."""
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    look = f"<style>{asset('page.css')}{style}</style>"
    head = f'<meta charset="utf-8">{view}<title>{escape(title)}</title>{look}'
    content = "\n".join(parts)
    used = [*([asset("sort.js")] if 'class="sortable' in content else []), *scripts]
    script = "".join(f"<script>{text}</script>" for text in used)
    body = f"<header><h1>{escape(title)}</h1></header><main>{content}</main>{script}"
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def asset(name: str, package: str = "gordium.report.pages") -> str:
    """A style sheet or script in the folder `assets` of a package."""
    return files(package).joinpath("assets", name).read_text(encoding="utf-8")


def join_scripts(names: Sequence[str], package: str = "gordium.report.pages") -> str:
    """Several scripts as one, whose names nothing else on the page sees."""
    text = "\n".join(asset(name, package) for name in names)
    return f'(() => {{\n"use strict";\n{text}\n}})();'


def json_in_script(content: Mapping[str, object]) -> str:
    """JSON that is safe inside a script element: no text in it can end the element."""
    return json.dumps(content, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def write_page(path: Path, title: str, parts: Sequence[str]) -> None:
    """Write a page of these parts."""
    write_text(path, render_page(title, parts))


def _head(names: Sequence[str]) -> str:
    cells = (f'<th scope="col">{escape(n)}</th>' if n else "<td></td>" for n in names)
    return f"<thead><tr>{''.join(cells)}</tr></thead>"


def _data(key: Attributes) -> str:
    return "".join(f' data-{name}="{escape(value)}"' for name, value in key.items())


def _bar(value: float, title: str) -> str:
    if not isfinite(value):
        return "<td>–</td>"
    style = f"background:linear-gradient(90deg,var(--bar) {100 * abs(value):.0f}%,transparent 0)"
    text = f"{value:.2f}".replace("-", "−")
    return f'<td title="{escape(title)}" style="{style}">{text}</td>'


def _cell(cell: Cell) -> str:
    title = f' title="{escape(cell.title)}"' if cell.title else ""
    value = ""
    if cell.value is not None:
        value = f' data-value="{cell.value!r}"' if isfinite(cell.value) else ' data-value=""'
    return f"<td{title}{value}>{escape(cell.text)}</td>"
