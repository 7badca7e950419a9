"""Writes results/demo-RUNG/K/methods.csv and again.csv: other methods on changes made again.

    python docs/figures/others.py FOLDER RUNG METHOD K...

Runs are kept in FOLDER/RUNG/K, and what is there is not trained again. Where that folder has no
change, it is made once more from the repetition's seeds. METHOD is one of the rung's, whose rows
are added to methods.csv, or beta-vae, whose two new seeds on modified images go to again.csv and
say whether the change does what the first one did.
"""

import sys
from pathlib import Path

from gordium.exhibits.demo import Repetition, find_rung
from gordium.exhibits.demo.other_methods import choose_seeds, list_others
from gordium.report.rows import Row, fresh_rows, read_rows, write_rows
from gordium.study.data import MODIFIED, VARIANTS

RESULTS = Path(__file__).resolve().parents[2] / "results"
BASELINE = "beta-vae"


def train(this: Repetition, method: str) -> list[Row]:
    """Train a method on original, modified and noisy images; the beta-VAE on modified ones."""
    if method == BASELINE:
        return fresh_rows(this.run(this.vary([MODIFIED], choose_seeds(this.number))))
    arms = [arm for arm in list_others(this.rung) if arm.method.name == method]
    return fresh_rows(this.run(this.vary(VARIANTS, choose_seeds(this.number), arms)))


def add(path: Path, rows: list[Row]) -> None:
    """Put rows in the place of those of the same method."""
    kept = read_rows(path) if path.exists() else []
    new = {row.method for row in rows}
    write_rows(path, [*(row for row in kept if row.method not in new), *rows])


if __name__ == "__main__":
    folder, rung, method, *numbers = sys.argv[1:]
    for number in map(int, numbers):
        place = Path(folder) / rung / str(number)
        this = Repetition(number, find_rung(rung), place, workers=1, controls=False)
        name = "again.csv" if method == BASELINE else "methods.csv"
        add(RESULTS / f"demo-{rung}" / str(number) / name, train(this, method))
