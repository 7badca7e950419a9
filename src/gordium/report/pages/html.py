"""One self-contained HTML page: text, tables and pictures, nothing fetched from anywhere."""

from base64 import b64encode
from collections.abc import Sequence
from html import escape
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from gordium.files import write_text

_STYLE = """
:root{color-scheme:light dark;--page:#fdfcfa;--ink:#1f242c;--muted:#555d68;--line:#dcdad4;
--card:#f3f2ee;--accent:#0f6f73}
@media (prefers-color-scheme:dark){:root{--page:#11151b;--ink:#e8ebf0;--muted:#a7b1be;
--line:#323a45;--card:#1b212a;--accent:#62d4c8}}
body{font:16px/1.55 system-ui,sans-serif;background:var(--page);color:var(--ink);
max-width:64rem;margin:1.5rem auto;padding:0 1rem}
h1{font-size:1.7rem;line-height:1.2;margin-bottom:.4rem}h1,h2{overflow-wrap:anywhere}
h2{font-size:1.2rem;margin-top:2.2rem;border-top:1px solid var(--line);padding-top:1rem}
a{color:var(--accent)}:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.wide{overflow-x:auto}table{border-collapse:collapse;margin:1rem 0}
th,td{padding:.3rem .9rem .3rem 0;text-align:left}th{border-bottom:2px solid var(--ink)}
td{border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums}
figure{margin:1rem 0}img{max-width:100%;background:#fff;border-radius:6px}
figcaption,.small{color:var(--muted);font-size:.9rem}
pre{background:var(--card);padding:.8rem;overflow:auto;font-size:.8rem;border-radius:6px}
summary{cursor:pointer}
.sortable{font-size:.85rem}.sortable th{cursor:pointer}td[title]{cursor:help}
th[aria-sort=ascending]::after{content:" ▲"}th[aria-sort=descending]::after{content:" ▼"}
@media print{body{max-width:none}figure,tr{break-inside:avoid}h2{break-after:avoid}
.wide{overflow:visible}}
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
name.onclick=sort;name.onkeydown=event=>{if(event.key==="Enter"||
event.key===" "){event.preventDefault();sort()}}});
"""


class Cell(NamedTuple):
    """What a cell shows, what it says on hover, and the number that it is sorted by."""

    text: str
    title: str = ""
    value: float | None = None


def heading(text: str) -> str:
    """A heading of a section."""
    return f"<h2>{escape(text)}</h2>"


def paragraph(text: str, *, small: bool = False) -> str:
    """A paragraph of text."""
    return f'<p class="small">{escape(text)}</p>' if small else f"<p>{escape(text)}</p>"


def table(head: Sequence[str], body: Sequence[Sequence[object]]) -> str:
    """A table of text."""

    def line(tag: str, cells: Sequence[object]) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(str(c))}</{tag}>" for c in cells) + "</tr>"

    rows = line("th", head) + "".join(line("td", row) for row in body)
    return f'<div class="wide"><table>{rows}</table></div>'


def picture(png: bytes, caption: str) -> str:
    """A picture, held in the page itself, with a caption."""
    source = f"data:image/png;base64,{b64encode(png).decode()}"
    text = escape(caption)
    return f'<figure><img alt="{text}" src="{source}"><figcaption>{text}</figcaption></figure>'


def code(text: str) -> str:
    """Text as it was typed."""
    return f"<pre>{escape(text)}</pre>"


def fold(title: str, content: str) -> str:
    """Content that a click on its title shows."""
    return f"<details><summary>{escape(title)}</summary>{content}</details>"


def sortable_table(head: Sequence[str], body: Sequence[Sequence[Cell]]) -> str:
    """A table that a click on a column's name sorts; what a cell comes from shows on hover."""
    names = "".join(f'<th tabindex="0">{escape(name)}</th>' for name in head)
    lines = "".join("<tr>" + "".join(map(_cell, line)) + "</tr>" for line in body)
    table = f"<thead><tr>{names}</tr></thead><tbody>{lines}</tbody>"
    return f'<div class="wide"><table class="sortable">{table}</table></div>'


def link(address: str, text: str) -> str:
    """A link to a file beside the page."""
    return f'<p><a href="{escape(address)}">{escape(text)}</a></p>'


def download(name: str, data: bytes, text: str) -> str:
    """A link that saves `data`, which is part of the page."""
    source = f"data:application/octet-stream;base64,{b64encode(data).decode()}"
    return f'<p><a download="{escape(name)}" href="{source}">{escape(text)}</a></p>'


def render_page(title: str, parts: Sequence[str]) -> str:
    """The page as text; `parts` come from the functions above."""
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    head = f'<meta charset="utf-8">{view}<title>{escape(title)}</title><style>{_STYLE}</style>'
    content = "\n".join(parts)
    script = f"<script>{_SORT}</script>" if 'class="sortable"' in content else ""
    body = f"<header><h1>{escape(title)}</h1></header><main>{content}</main>{script}"
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
