"""Tables of summaries as Markdown and LaTeX: mean ± std, n, the best in bold."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from gordium.report.pages.cells import word
from gordium.report.statistics.seeds import SeedLine
from gordium.table_text import markdown_cell, markdown_lines

_COLUMNS = ("dataset", "variant")
_LATEX = str.maketrans(
    {c: f"\\{c}" for c in "&%$#_{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
)


class Cell(NamedTuple):
    """A line of `seed_summary`, if there is one for this cell."""

    line: SeedLine | None = None
    is_best: bool = False


class Grid(NamedTuple):
    """The names of the columns, and lines of a name and its cells."""

    head: tuple[str, ...]
    lines: tuple[tuple[str, tuple[Cell, ...]], ...]


def summary_grid(summary: pd.DataFrame, *, rows: Sequence[str] = ("method",)) -> Grid:
    """Lay out lines of `seed_summary`: data sets and variants as columns, `rows` as rows.

    The best of a column is found after rounding, so that equal cells share it; a column of one
    cell has none.
    """
    sides = [_names(summary, names) for names in (rows, _COLUMNS)]
    places = list(zip(*sides, strict=True))
    if len(set(places)) < len(places):
        twice = next(place for place in places if places.count(place) > 1)
        raise ValueError(f"more than one line for {' and '.join(twice)}; add a column to rows.")
    lines, head = (list(dict.fromkeys(side)) for side in sides)
    found = dict(zip(places, summary.itertuples(), strict=True))
    top = {name: _find_top([found.get((line, name)) for line in lines]) for name in head}
    cells = {
        place: Cell(line, line.n > 0 and round(line.mean, 2) == top[place[1]])
        for place, line in found.items()
    }
    return Grid(
        tuple(head), tuple((a, tuple(cells.get((a, b), Cell()) for b in head)) for a in lines)
    )


def markdown_table(grid: Grid) -> str:
    """A table for GitHub; the best in bold."""
    body = [[markdown_cell(name), *map(_markdown, cells)] for name, cells in grid.lines]
    lines = markdown_lines(["", *map(markdown_cell, grid.head)], body)
    return "".join(f"{line}\n" for line in lines)


def latex_table(grid: Grid) -> str:
    """A tabular with the rules of booktabs."""
    head = ["", *(name.translate(_LATEX) for name in grid.head)]
    body = [[name.translate(_LATEX), *map(_latex, cells)] for name, cells in grid.lines]
    lines = [" & ".join(line) + r" \\" for line in [head, *body]]
    start = rf"\begin{{tabular}}{{l{'c' * len(grid.head)}}}"
    text = [start, r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule", r"\end{tabular}"]
    return "\n".join(text) + "\n"


def _names(summary: pd.DataFrame, columns: Sequence[str]) -> list[str]:
    parts = [[word(value) for value in summary[name]] for name in columns]
    return ["/".join(part for part in line if part) for line in zip(*parts, strict=True)]


def _find_top(found: Sequence[SeedLine | None]) -> float | None:
    means = [round(line.mean, 2) for line in found if line is not None and line.n]
    return max(means) if len(means) > 1 else None


def _markdown(cell: Cell) -> str:
    text = _numbers(cell.line, " ± ") or "–"
    return (f"**{text}**" if cell.is_best else text) + _count(cell.line)


def _latex(cell: Cell) -> str:
    text = _numbers(cell.line, r" \pm ")
    bold = rf"\mathbf{{{text}}}" if cell.is_best else text
    return (f"${bold}$" if text else "--") + _count(cell.line)


def _numbers(line: SeedLine | None, between: str) -> str:
    """The mean and the deviation, if there is one; empty where no run is left."""
    numbers = (line.mean, line.std) if line is not None and line.n else ()
    return between.join(f"{value:.2f}" for value in numbers if np.isfinite(value))


def _count(line: SeedLine | None) -> str:
    if line is None:
        return ""
    gone = f", {line.n_discarded} discarded" if line.n_discarded else ""
    return f" ({line.n}{gone})" if line.n or gone else ""
