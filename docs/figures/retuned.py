"""Writes results/demo/K/retuned.csv: would another strength do as well on the changed images?

    python docs/figures/retuned.py FOLDER K...

Runs are kept in FOLDER/K, and what is there is not trained again; if it is the folder of `gordium
demo --repetition K`, its change is used. On the modified images two seeds are trained at each of
five strengths; three more, which are reported, at the strength that was best for the two. A
repetition is 13 runs: about five minutes on one core, and as many for a change that is not there.
"""

import sys
from dataclasses import replace
from pathlib import Path

from changes import HOW, RESULTS

from gordium.exhibits.demo import Repetition, seeds
from gordium.exhibits.demo.claims import CHOICE, pick_strength
from gordium.exhibits.demo.seeds import RETUNED
from gordium.methods import BetaVAE
from gordium.report.frame import frame_of
from gordium.report.rows import Row, fresh_rows, write_rows
from gordium.study.data import MODIFIED

STRENGTHS = (2.0, 4.0, 8.0, 16.0, 32.0)  # the demo's own is 8
N_CHOICE, N_REPORTED = 2, 3


def retune(this: Repetition) -> list[Row]:
    """Train the seeds that choose at all strengths, then those that are reported at the best."""
    drawn = seeds(this.number, RETUNED, N_CHOICE + N_REPORTED)
    rows: list[Row] = []
    for strength in STRENGTHS:
        rows += train(this, strength, CHOICE, drawn[:N_CHOICE])
    best = pick_strength(frame_of(rows))
    return [*rows, *train(this, best, MODIFIED, drawn[N_CHOICE:])]


def train(this: Repetition, strength: float, name: str, some: tuple[int, ...]) -> list[Row]:
    """Train some seeds on modified images at a strength; their rows are of the variant `name`."""
    (fresh,) = this.study.arms
    study = this.vary([MODIFIED], some, [replace(fresh, method=BetaVAE(beta=strength))])
    return [row._replace(variant=name) for row in fresh_rows(this.run(study))]


if __name__ == "__main__":
    folder, *numbers = sys.argv[1:]
    for number in map(int, numbers):
        this = Repetition(number, HOW, Path(folder) / str(number), workers=1)
        write_rows(RESULTS / str(number) / "retuned.csv", retune(this))
