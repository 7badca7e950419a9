"""The tables of docs/metrics.md: each stands between two comments, so that it can be found."""

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "metrics.md"


def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- table: {name} -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def fill(name: str, table: str) -> None:
    """Put a table in its place on the page."""
    text, n = _pattern(name).subn(lambda m: f"{m[1]}{table}\n{m[3]}", PAGE.read_text("utf-8"))
    if n != 1:
        raise ValueError(
            f"{PAGE} has {n} places for the table {name}; it needs one: the lines "
            f"'<!-- table: {name} -->' and '<!-- end -->' in a section '### `{name}`'."
        )
    PAGE.write_text(text, "utf-8")


def written(name: str) -> dict[str, dict[str, str]]:
    """A table of the page as text: row, column, cell."""
    found = _pattern(name).search(PAGE.read_text("utf-8"))
    if found is None:
        raise ValueError(f"{PAGE} has no table {name}.")
    lines = [line.strip("| ").split(" | ") for line in found[2].splitlines()]
    (_, *columns), _, *rows = lines
    return {row: dict(zip(columns, cells, strict=True)) for row, *cells in rows}
