"""Writes results/demo/K/longer.csv: does longer training bring the score back?

    python docs/figures/longer.py FOLDER OUT K...

FOLDER holds finished repetitions of `gordium demo`; runs are kept in OUT, and what is there is not
trained again. On the modified and the noisy images of repetition K two new seeds are trained for
four times as many steps as the demo's fresh runs: about eight minutes on one core.
"""

import sys
from dataclasses import replace
from pathlib import Path

from changes import HOW, RESULTS, load_changed

from gordium.exhibits.demo import Repetition, seeds
from gordium.exhibits.demo.recipe import LONGER
from gordium.report.rows import write_rows

TIMES, N_SEEDS = 4, 2

if __name__ == "__main__":
    folder, out, *numbers = sys.argv[1:]
    for number in map(int, numbers):
        arms = load_changed(Path(folder) / str(number))
        this = Repetition(number, HOW, Path(out) / str(number), workers=1)
        settings = replace(HOW.fresh, steps=TIMES * HOW.fresh.steps)
        drawn = seeds(number, LONGER, N_SEEDS)
        runs = this.train(list(arms.values()), settings, drawn, f"{TIMES} times as long")
        rows = [row for arm, own in zip(arms, runs, strict=True) for row in this.rows(arm, own)]
        write_rows(RESULTS / str(number) / "longer.csv", rows)
