"""One self-contained HTML page: text, tables and pictures, nothing fetched from anywhere."""

from base64 import b64encode
from collections.abc import Sequence
from html import escape
from pathlib import Path

from gordium.files import write_text

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;color:#222;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;margin-bottom:.2rem}h2{font-size:1.15rem;margin-top:2.2rem}
table{border-collapse:collapse;margin:1rem 0}th,td{padding:.3rem .9rem;text-align:left}
th{border-bottom:2px solid #222}td{border-bottom:1px solid #ddd;font-variant-numeric:tabular-nums}
figure{margin:1rem 0}img{max-width:100%}figcaption{color:#555;font-size:.9rem}
pre{background:#f5f5f5;padding:.8rem;overflow:auto;font-size:.8rem}.small{color:#555;font-size:.9rem}
"""


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


def write_page(path: Path, title: str, parts: Sequence[str]) -> None:
    """Write the page whole; `parts` come from the functions above."""
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style>'
    body = f"<h1>{escape(title)}</h1>" + "\n".join(parts)
    write_text(
        path, f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>\n'
    )
