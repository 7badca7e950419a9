"""Tables whose text stays text when other programs open them.

A spreadsheet takes a cell that begins with =, +, - or @ for a formula, and a Markdown viewer takes
HTML in a cell for HTML. Names of data sets, methods and runs come from users and from files.
"""

import csv
import html
from collections.abc import Iterable, Mapping, Sequence

_FORMULA = frozenset("=+-@\t\r")


def csv_text(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """A table with a head as CSV; cells are empty where a row lacks the column or holds None.

    >>> csv_text(["name", "value"], [{"name": "=1+1", "value": -0.5}])
    "name,value\\n'=1+1,-0.5\\n"
    """
    return csv_table(columns, ([row.get(name) for name in columns] for row in rows))


def csv_table(columns: Sequence[str], lines: Iterable[Iterable[object]]) -> str:
    """As `csv_text`, for lines that hold a value for each column."""
    return "".join(csv_lines([columns, *lines]))


def csv_lines(lines: Iterable[Iterable[object]]) -> list[str]:
    """Each line of cells as CSV, with its end."""
    found = _Lines()
    csv.writer(found, lineterminator="\n").writerows(
        [_guard(cell) if cell.__class__ is str and cell[:1] in _FORMULA else cell for cell in line]
        for line in lines
    )
    return found


class _Lines(list[str]):
    """What a CSV writer takes for a file; it writes each line at once."""

    write = list.append


def read_cell(text: str) -> str:
    """The text that `csv_text` was given for a cell."""
    return text[1:] if text[:1] == "'" and text[1:2] in _FORMULA else text


def markdown_cell(text: str) -> str:
    r"""Text as one cell of a Markdown table.

    >>> markdown_cell("<b>a|b</b>\nc")
    '&lt;b&gt;a\\|b&lt;/b&gt; c'
    """
    return " ".join(html.escape(text, quote=False).replace("|", r"\|").split("\n"))


def markdown_lines(head: Sequence[str], body: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a Markdown table."""
    return ["| " + " | ".join(line) + " |" for line in [head, ["---"] * len(head), *body]]


def _guard(text: str) -> str:
    """A number as it is, any other text with an apostrophe before it."""
    try:
        float(text)
    except ValueError:
        return f"'{text}"
    return text
