"""Tables of summaries as Markdown and LaTeX: mean ± std, n, the best in bold, published beside."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from gordium.table_text import markdown_cell

Published = Mapping[str, Mapping[str, Mapping[str, float]]]
Best = Literal["highest", "lowest", "none"]
_PM = r" \pm "
_LATEX = {c: f"\\{c}" for c in "&%$#_{}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
}


class Cell(NamedTuple):
    """Mean and deviation as they are printed, over how many runs; empty without any."""

    mean: str
    std: str
    n: int
    n_discarded: int
    is_best: bool
    published: tuple[str, str] | None


class Grid(NamedTuple):
    """The names of the columns, and lines of a name and its cells."""

    head: tuple[str, ...]
    lines: tuple[tuple[str, tuple[Cell, ...]], ...]


def summary_grid(
    summary: pd.DataFrame,
    *,
    rows: Sequence[str] = ("method",),
    columns: Sequence[str] = ("dataset", "variant"),
    published: Published | None = None,
    best: Best = "highest",
    digits: int = 2,
) -> Grid:
    """Lay out lines of `seed_summary` by their `rows` and `columns`, joined by a slash.

    The best of a column is found after rounding, so that equals share it; a lone cell is not
    the best of anything. `published` has the numbers by the same names, such as
    {"beta-vae": {"dsprites/original": {"mean": 0.23, "std": 0.08}}}.
    """
    sides = [_names(summary, names) for names in (rows, columns)]
    places = list(zip(*sides, strict=True))
    if len(set(places)) < len(places):
        twice = next(place for place in places if places.count(place) > 1)
        raise ValueError(
            f"more than one line for {' and '.join(twice)}; select one or add to rows or columns."
        )
    lines, head = (list(dict.fromkeys(side)) for side in sides)
    found = dict(zip(places, summary.to_dict("records"), strict=True))
    top = {name: _best([found.get((line, name)) for line in lines], best, digits) for name in head}

    def cell(line: str, name: str) -> Cell:
        theirs = (published or {}).get(line, {}).get(name)
        return _cell(found.get((line, name)), theirs, top[name], digits)

    return Grid(tuple(head), tuple((a, tuple(cell(a, b) for b in head)) for a in lines))


def markdown_table(grid: Grid) -> str:
    """A table for GitHub; the best in bold, published numbers in brackets."""
    head = ["", *(markdown_cell(name) for name in grid.head)]
    rule = ["---"] * len(head)
    body = [[markdown_cell(name), *map(_markdown, cells)] for name, cells in grid.lines]
    return "".join("| " + " | ".join(line) + " |\n" for line in [head, rule, *body])


def latex_table(grid: Grid) -> str:
    """A tabular with the rules of booktabs."""
    head = ["", *(_escape(name) for name in grid.head)]
    body = [[_escape(name), *map(_latex, cells)] for name, cells in grid.lines]
    lines = [" & ".join(line) + r" \\" for line in [head, *body]]
    start = rf"\begin{{tabular}}{{l{'c' * len(grid.head)}}}"
    text = [start, r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule", r"\end{tabular}"]
    return "\n".join(text) + "\n"


def _names(summary: pd.DataFrame, columns: Sequence[str]) -> list[str]:
    parts = [[_text(value) for value in summary[name]] for name in columns]
    return ["/".join(part for part in line if part) for line in zip(*parts, strict=True)]


def _text(value: object) -> str:
    if isinstance(value, float):
        return "" if np.isnan(value) else f"{value:g}"
    return str(value)


def _best(found: Sequence[Mapping[str, float] | None], best: Best, digits: int) -> float | None:
    means = [round(line["mean"], digits) for line in found if line and line["n"]]
    if best == "none" or len(means) < 2:
        return None
    return max(means) if best == "highest" else min(means)


def _cell(
    line: Mapping[str, float] | None,
    theirs: Mapping[str, float] | None,
    top: float | None,
    digits: int,
) -> Cell:
    shown = (_number(theirs["mean"], digits), _number(theirs["std"], digits)) if theirs else None
    if line is None or not line["n"]:
        gone = int(line["n_discarded"]) if line is not None else 0
        return Cell("", "", 0, gone, False, shown)
    is_best = top is not None and round(line["mean"], digits) == top
    mean, std = (_number(line[name], digits) for name in ("mean", "std"))
    return Cell(mean, std, int(line["n"]), int(line["n_discarded"]), is_best, shown)


def _number(value: float, digits: int) -> str:
    return f"{value:.{digits}f}" if np.isfinite(value) else ""


def _markdown(cell: Cell) -> str:
    text = _join_spread(cell.mean, cell.std, " ± ") if cell.n else "–"
    theirs = f" [{_join_spread(*cell.published, ' ± ')}]" if cell.published else ""
    return (f"**{text}**" if cell.is_best else text) + _count(cell) + theirs


def _latex(cell: Cell) -> str:
    text = _join_spread(cell.mean, cell.std, _PM) if cell.n else "-"
    bold = rf"\mathbf{{{text}}}" if cell.is_best else text
    theirs = f" [${_join_spread(*cell.published, _PM)}$]" if cell.published else ""
    return (f"${bold}$" if cell.n else "--") + _count(cell) + theirs


def _join_spread(mean: str, std: str, sign: str) -> str:
    return f"{mean}{sign}{std}" if std else mean


def _count(cell: Cell) -> str:
    gone = f", {cell.n_discarded} discarded" if cell.n_discarded else ""
    return f" ({cell.n}{gone})" if cell.n or gone else ""


def _escape(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)
