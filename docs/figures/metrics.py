"""Draws the pictures of docs/metrics.md and fills in its tables: `python docs/figures/metrics.py`.

Given names of metrics, or of the tables `known_codes` and `changes`, it makes only those.
"""

import sys
from pathlib import Path

from matplotlib.figure import Figure
from metric_page import CASES
from metric_page.case import Case, markdown
from metric_page.page import PAGE, fill
from metric_page.tables import TABLES, names

FOLDER = PAGE.parent / "images" / "metrics"


def draw(case: Case, path: Path) -> None:
    """Draw the case of a metric and save it."""
    figure = Figure(figsize=(case.width, case.height), layout="constrained")
    case.draw(figure)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, metadata={"Software": None})


def main(wanted: list[str]) -> None:
    for name in wanted or [*CASES, *TABLES]:
        if name in CASES:
            case = CASES[name]()
            draw(case, FOLDER / f"{name}.png")
            text = markdown(case.scores)
        else:
            text = markdown({f"`{metric}`": TABLES[name](metric) for metric in names()}, "metric")
        fill(name, text)
        print(f"\n{name}\n\n{text}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
