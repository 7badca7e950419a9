"""Draw the pictures of docs/metrics.md and print its tables: `python docs/figures/metrics.py`.

With names of metrics only those are made; `--tables` leaves the pictures out.
"""

import sys
from pathlib import Path

from matplotlib.figure import Figure
from metric_page import CASES
from metric_page.case import Case, markdown
from metric_page.tables import changes, known_codes, names

FOLDER = Path(__file__).resolve().parents[1] / "images" / "metrics"


def picture(case: Case, path: Path) -> None:
    figure = Figure(figsize=(case.width, case.height), layout="constrained")
    case.draw(figure)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, metadata={"Software": None})


def main(wanted: list[str]) -> None:
    asked = [name for name in wanted if not name.startswith("--")]
    for name, make in CASES.items():
        if name in (asked or CASES):
            case = make()
            print(f"\n{name}\n\n{markdown(case.scores)}", flush=True)
            if "--tables" not in wanted:
                picture(case, FOLDER / f"{name}.png")
    if not asked:
        for title, table in (("known codes", known_codes), ("changes", changes)):
            print(f"\n{title}\n\n{markdown({f'`{n}`': table(n) for n in names()}, 'metric')}")


if __name__ == "__main__":
    main(sys.argv[1:])
