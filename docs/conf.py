"""The documentation site: `make docs`.

Sphinx makes a reference of docstrings and checks every link; the pages are Markdown, which MyST
reads; MyST-NB runs the tutorials as they are built.
"""

import os
import re
import shutil
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from docutils.nodes import SkipNode
from latex2mathml.converter import convert

from gordium import __version__

HERE = Path(__file__).parent
RESULTS = HERE.parent / "results"

project = "Gordium"
author = "The Gordium developers"
copyright = author
version = release = __version__

sys.path.insert(0, str(HERE / "figures"))
links = import_module("links")
list(links.import_public_names())  # also those that a module imports when they are first used

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
]
exclude_patterns = ["_build", "figures", "**/.ipynb_checkpoints"]
source_suffix = {".md": "myst-nb"}

myst_enable_extensions = ["dollarmath", "deflist", "colon_fence"]
myst_heading_anchors = 4
myst_links_external_new_tab = False
nb_execution_mode = "force"
nb_execution_in_temp = True  # what a tutorial writes is not left beside it
# Pages find `figures` from there too.
os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True
nb_output_stderr = "remove"

autosummary_generate = False
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
add_module_names = False
python_use_unqualified_type_names = True
nitpicky = False
suppress_warnings = ["mystnb.unknown_mime_type"]

html_theme = "furo"
html_title = "Gordium"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_math_renderer = "mathml"

# Results of the checkout are linked by pages that are read there as well.
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?:\.\./)+results/([^)]*)\)")


def _link_results(_app: Any, docname: str, source: list[str]) -> None:
    root = "../" * docname.count("/")
    text = _LINK.sub(rf'<a href="{root}results/\2">\1</a>', source[0])
    source[0] = text.replace("```math\n", "```{math}\n")  # as it is written for GitHub


def _copy_results(app: Any, failed: Exception | None) -> None:
    out = Path(app.outdir) / "results"
    if failed is None and RESULTS.is_dir():
        wanted = shutil.ignore_patterns("*.safetensors", "report.html")
        shutil.copytree(RESULTS, out, ignore=wanted, dirs_exist_ok=True)


def _make_gallery(app: Any, failed: Exception | None) -> None:
    from gallery import write_pages

    if failed is None:
        write_pages(Path(app.outdir) / "explorer")


def _escape(*event: Any) -> None:
    """Docstrings are plain text with code in backticks, which reStructuredText reads otherwise."""
    lines = event[-1]
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()  # what Python says of a field that nobody described
    for i, line in enumerate(lines):
        parts = line.split("`")
        plain = [re.sub(r"([*|_])", r"\\\1", part) for part in parts[::2]]
        code = [f"``{part}``" for part in parts[1::2]] + [""]
        if len(parts) % 2 and not line.lstrip().startswith(">>>"):
            lines[i] = "".join(a + b for a, b in zip(plain, code, strict=True))


# NumPy's names for what Python spells out in a signature.
_ARRAYS = {
    "ArrayLike": r"[~\w.]+Buffer \| .*?_NestedSequence\[complex \| bytes \| str\]",
    "numpy.ndarray": r"~?numpy\.ndarray\[tuple\[[^\[\]]*\], "
    r"~?numpy\.dtype\[(?:[^\[\]]|\[[^\[\]]*\])*\]\]",
}


def _name_arrays(*event: Any) -> tuple[str | None, str | None]:
    signature, returned = event[-2:]
    for name, spelt_out in _ARRAYS.items():
        signature, returned = (
            text and re.sub(spelt_out, name, text) for text in (signature, returned)
        )
    return signature, returned


def _inline(writer: Any, node: Any) -> None:
    """Formulas are MathML, which browsers draw by themselves: no script from elsewhere."""
    writer.body.append(convert(node.astext()))
    raise SkipNode


def _block(writer: Any, node: Any) -> None:
    writer.body.append(f'<div class="math">{convert(node.astext(), display="block")}</div>')
    raise SkipNode


def setup(app: Any) -> None:
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    connect = app.connect
    connect("autodoc-process-docstring", _escape)
    connect("autodoc-process-signature", _name_arrays)
    connect("source-read", _link_results)
    connect("build-finished", _copy_results)
    connect("build-finished", _make_gallery)
