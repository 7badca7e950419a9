"""Writes results/demo/K/scores.csv: DCI, FactorVAE score and SAP of the demo's fresh runs.

    python docs/figures/other_scores.py FOLDER

FOLDER holds finished repetitions of `gordium demo`; the codes of every image are in its runs'
folders.
"""

import sys
from pathlib import Path

from changes import RESULTS, list_repetitions

from gordium.evaluation.run_scores import load_representation
from gordium.exhibits.demo.claims import TABLES
from gordium.metrics import score
from gordium.report.rows import Row, read_rows, write_rows

ARMS = ("original", "modified", "noise", "equal noise")


def score_again(folder: Path) -> list[Row]:
    """The rows of a repetition's fresh runs, by each of the scores."""
    rows = [row for row in read_rows(folder / "rows.csv") if row.metric == "mig"]
    found: list[Row] = []
    for row in (row for row in rows if row.variant in ARMS):
        codes = load_representation(folder / "runs" / row.run)
        values = score(codes.codes, codes.factors, metrics=tuple(TABLES))
        found += [row._replace(metric=name, value=float(values[name])) for name in TABLES]
    return found


if __name__ == "__main__":
    for folder in list_repetitions(Path(sys.argv[1])):
        write_rows(RESULTS / folder.name / "scores.csv", score_again(folder))
