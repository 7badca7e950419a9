"""Checks every link of a built site to a place of its own: python docs/figures/links.py FOLDER."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links and the named places of a page."""

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
    """Links that lead to no file, or to no place in it; addresses elsewhere are not asked for."""
    root = folder.resolve()
    pages = {p: Page(p.read_text(encoding="utf-8")) for p in root.rglob("*.html")}
    return [
        f"{path.relative_to(root)}: {link}"
        for path, page in pages.items()
        for link in page.links
        if not _leads_somewhere(path, link, pages)
    ]


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
    found = broken(Path(sys.argv[1]))
    print("\n".join(found) or "every link leads somewhere")
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main()
