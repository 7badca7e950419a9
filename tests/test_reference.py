"""Every public name is in the reference, and the pages that are built lead somewhere."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

import gordium as gd

DOCS = Path(__file__).parents[1] / "docs"
PAGES = "\n".join(page.read_text() for page in sorted((DOCS / "reference").glob("*.md")))
MODULES = [name for name in gd.__all__ if isinstance(getattr(gd, name), ModuleType)]
FUNCTIONS = [name for name in gd.__all__ if callable(getattr(gd, name))]


@pytest.mark.parametrize("name", MODULES)
def test_every_public_module_has_its_page(name):
    # All names of its `__all__` are shown; `make docs` looks for each.
    assert getattr(gd, name).__all__
    assert re.search(rf"automodule:: gordium\.{name}\n   :members:\n   :imported-members:", PAGES)
    listed = (DOCS / "reference" / "index.md").read_text()
    assert f"\n{name}\n" in listed


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_top_level_function_is_listed(name):
    assert f".. autofunction:: {name}\n" in PAGES


def test_a_link_that_leads_nowhere_is_found(tmp_path):
    (tmp_path / "a.html").write_text('<p id="here"><a href="b.html#there">b</a> <a href="#here">')
    (tmp_path / "b.html").write_text(
        '<a href="a.html#gone">a</a> <img src="no.png"> <i id="there">'
    )
    assert links().broken(tmp_path) == ["b.html: a.html#gone", "b.html: no.png"]


def test_a_public_name_that_is_not_shown_is_found(tmp_path):
    names = [name.rpartition(".")[2] for name in links().import_public_names()]
    assert {"encode", "check_dataset", "mig"} < set(names)
    assert not {"pick", "Callable"} & set(names)
    (tmp_path / "reference").mkdir()
    shown = "".join(f'<dt id="gordium.{name}">' for name in names if name != "mig")
    (tmp_path / "reference" / "all.html").write_text(shown)
    assert links().missing(tmp_path) == ["not in the reference: gordium.metrics.mig"]


def links():
    spec = importlib.util.spec_from_file_location("links", DOCS / "figures" / "links.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
