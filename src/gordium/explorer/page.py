"""The page's files put together: markup, style, script and data in one text."""

from base64 import b64encode
from html import escape

from gordium.explorer.blob import Blob, Content
from gordium.report.pages.html import asset, join_scripts, json_in_script

PACKAGE = "gordium.explorer"
SCRIPTS = (
    "kernel.js",
    "runtime.js",
    "algebra.js",
    "drawing.js",
    "state.js",
    "start.js",
    "units.js",
    "pad.js",
    "table.js",
    "scatter.js",
    "why.js",
    "main.js",
)


def assemble(content: Content, blob: Blob, title: str) -> str:
    """The page as text. Names from users are inside a block of JSON, or escaped."""
    parts = {
        "title": escape(title),
        "style": asset("style.css", PACKAGE),
        "script": join_scripts(SCRIPTS, PACKAGE),
        "content": json_in_script(content),
        "blob": blob.text(),
    }
    page = asset("page.html", PACKAGE)
    for name, text in parts.items():
        page = page.replace(f"<!--{name}-->", text)
    return page


def frame(page: str, height: int) -> str:
    """The page inside another one, e.g. a notebook's."""
    source = f"data:text/html;base64,{b64encode(page.encode()).decode()}"
    return (
        f'<iframe title="Latent explorer" style="width:100%;height:{height}px;border:0" '
        f'src="{source}"></iframe>'
    )
