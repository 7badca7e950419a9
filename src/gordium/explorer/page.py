"""The page's files put together: markup, style, script and data in one text."""

import json
from base64 import b64encode
from html import escape
from importlib.resources import files
from typing import Any

from gordium.explorer.blob import Blob

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


def assemble(content: dict[str, Any], blob: Blob, title: str) -> str:
    """The page as text. Names from users are inside a block of JSON, or escaped."""
    script = "\n".join(_asset(name) for name in SCRIPTS)
    parts = {
        "title": escape(title),
        "style": _asset("style.css"),
        "script": f'(() => {{\n"use strict";\n{script}\n}})();',
        "content": _json(content),
        "blob": blob.text(),
    }
    page = _asset("page.html")
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


def _asset(name: str) -> str:
    return files("gordium.explorer").joinpath("assets", name).read_text(encoding="utf-8")


def _json(content: dict[str, Any]) -> str:
    """JSON that is safe inside a script element: no text in it can end the element."""
    return json.dumps(content, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
