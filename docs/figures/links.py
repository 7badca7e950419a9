"""Checks a built site: python docs/figures/links.py FOLDER.

Every link within the site must lead somewhere, and every public name must be in the reference.
"""

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib import import_module
from inspect import isclass, isroutine
from pathlib import Path
from urllib.parse import unquote, urlsplit

REFERENCE = Path(__file__).parents[1] / "reference"


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if value and key in ("href", "src"):
                self.links.append(value)
            if value and key in ("id", "name"):
                self.names.add(value)


def broken(folder: Path) -> list[str]:
    """Links that lead to no file, or to no anchor in it; addresses elsewhere are not checked."""
    root = folder.resolve()
    pages = {p: Page(p.read_text(encoding="utf-8")) for p in root.rglob("*.html")}
    return [
        f"{path.relative_to(root)}: {link}"
        for path, page in pages.items()
        for link in page.links
        if not _leads_somewhere(path, link, pages)
    ]


def import_public_names() -> Iterator[str]:
    """The names of all classes and functions of modules in the reference.

    Each is set as an attribute of its module, because Sphinx does not see lazy imports.
    """
    pages = "".join(page.read_text(encoding="utf-8") for page in sorted(REFERENCE.glob("*.md")))
    modules = map(import_module, re.findall(r"automodule:: (\S+)", pages))
    for module in modules:
        for name in getattr(module, "__all__", ()):
            member = getattr(module, name)
            setattr(module, name, member)
            if isclass(member) or isroutine(member):
                yield f"{module.__name__}.{name}"


def missing(folder: Path) -> list[str]:
    """Public names that the reference of a built site does not show."""
    pages = [Page(page.read_text(encoding="utf-8")) for page in folder.glob("reference/*.html")]
    shown = {name.rpartition(".")[2] for page in pages for name in page.names}
    names = [name for name in import_public_names() if name.rpartition(".")[2] not in shown]
    return [f"not in the reference: {name}" for name in names]


def _leads_somewhere(path: Path, link: str, pages: dict[Path, Page]) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return True
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target = target / "index.html"
    named = (
        target not in pages or not parts.fragment or unquote(parts.fragment) in pages[target].names
    )
    return target.is_file() and named


def main() -> None:
    folder = Path(sys.argv[1])
    found = broken(folder) + missing(folder)
    print("\n".join(found) or "every link leads somewhere, every public name is in the reference")
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main()
