"""One self-contained HTML page: text, tables and pictures, nothing fetched from anywhere."""

from base64 import b64encode
from collections.abc import Sequence
from html import escape
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from gordium.files import write_text

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;color:#222;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;margin-bottom:.2rem}h2{font-size:1.15rem;margin-top:2.2rem}
table{border-collapse:collapse;margin:1rem 0}th,td{padding:.3rem .9rem;text-align:left}
th{border-bottom:2px solid #222}td{border-bottom:1px solid #ddd;font-variant-numeric:tabular-nums}
figure{margin:1rem 0}img{max-width:100%}figcaption{color:#555;font-size:.9rem}
pre{background:#f5f5f5;padding:.8rem;overflow:auto;font-size:.8rem}.small{color:#555;font-size:.9rem}
.sortable{font-size:.85rem}.sortable th{cursor:pointer}td[title]{cursor:help}
th[aria-sort=ascending]::after{content:" ▲"}th[aria-sort=descending]::after{content:" ▼"}
"""


# Numbers by value, words by letter, what is missing last; a second click turns the order round.
_SORT = """
const key=cell=>"value" in cell.dataset?(cell.dataset.value===""?null:+cell.dataset.value):
cell.textContent;
const order=(a,b)=>typeof a==="number"&&typeof b==="number"?a-b:String(a).localeCompare(String(b));
document.querySelectorAll("table.sortable th").forEach(name=>{const sort=()=>{
const up=name.getAttribute("aria-sort")!=="ascending",body=name.closest("table").tBodies[0];
[...name.parentNode.cells].forEach(other=>other.removeAttribute("aria-sort"));
name.setAttribute("aria-sort",up?"ascending":"descending");
[...body.rows].map(row=>[key(row.cells[name.cellIndex]),row])
.sort(([a],[b])=>a===null||b===null?(a===null)-(b===null):up?order(a,b):order(b,a))
.forEach(([,row])=>body.append(row))};
name.onclick=sort;name.onkeydown=event=>{if(event.key==="Enter")sort()}});
"""


class Cell(NamedTuple):
    """What a cell shows, what it says on hover, and the number that it is sorted by."""

    text: str
    title: str = ""
    value: float | None = None


def heading(text: str) -> str:
    return f"<h2>{escape(text)}</h2>"


def paragraph(text: str, *, small: bool = False) -> str:
    return f'<p class="small">{escape(text)}</p>' if small else f"<p>{escape(text)}</p>"


def table(head: Sequence[str], body: Sequence[Sequence[object]]) -> str:
    def line(tag: str, cells: Sequence[object]) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(str(c))}</{tag}>" for c in cells) + "</tr>"

    return "<table>" + line("th", head) + "".join(line("td", row) for row in body) + "</table>"


def picture(png: bytes, caption: str) -> str:
    source = f"data:image/png;base64,{b64encode(png).decode()}"
    text = escape(caption)
    return f'<figure><img alt="{text}" src="{source}"><figcaption>{text}</figcaption></figure>'


def code(text: str) -> str:
    return f"<pre>{escape(text)}</pre>"


def folded(title: str, content: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{content}</details>"


def sortable_table(head: Sequence[str], body: Sequence[Sequence[Cell]]) -> str:
    """A table that a click on a column's name sorts; what a cell comes from shows on hover."""
    names = "".join(f'<th tabindex="0">{escape(name)}</th>' for name in head)
    lines = "".join("<tr>" + "".join(map(_cell, line)) + "</tr>" for line in body)
    return f'<table class="sortable"><thead><tr>{names}</tr></thead><tbody>{lines}</tbody></table>'


def download(name: str, data: bytes, text: str) -> str:
    """A link that saves `data`, which is part of the page."""
    source = f"data:application/octet-stream;base64,{b64encode(data).decode()}"
    return f'<p><a download="{escape(name)}" href="{source}">{escape(text)}</a></p>'


def render_page(title: str, parts: Sequence[str]) -> str:
    """The page as text; `parts` come from the functions above."""
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style>'
    content = "\n".join(parts)
    script = f"<script>{_SORT}</script>" if 'class="sortable"' in content else ""
    body = f"<h1>{escape(title)}</h1>{content}{script}"
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def write_page(path: Path, title: str, parts: Sequence[str]) -> None:
    """Write the page whole."""
    write_text(path, render_page(title, parts))


def _cell(cell: Cell) -> str:
    title = f' title="{escape(cell.title)}"' if cell.title else ""
    value = ""
    if cell.value is not None:
        value = f' data-value="{cell.value!r}"' if isfinite(cell.value) else ' data-value=""'
    return f"<td{title}{value}>{escape(cell.text)}</td>"
