"""Writes results/demo/K/longer.csv: does longer training bring the score back?

    python docs/figures/longer.py FOLDER K...

Runs are kept in FOLDER/K, and what is there is not trained again; if it is the folder of `gordium
demo --repetition K`, its change is used. On the modified and the noisy images two new seeds are
trained for four times as many steps as the demo's fresh runs: about eight minutes on one core.
"""

import sys
from dataclasses import replace
from pathlib import Path

from changes import HOW, RESULTS

from gordium.exhibits.demo import Repetition, seeds
from gordium.exhibits.demo.seeds import LONGER
from gordium.report.rows import fresh_rows, write_rows

ARMS = ("modified", "noise")
TIMES, N_SEEDS = 4, 2

if __name__ == "__main__":
    folder, *numbers = sys.argv[1:]
    for number in map(int, numbers):
        this = Repetition(number, HOW, Path(folder) / str(number), workers=1)
        (fresh,) = this.study.arms
        steps = TIMES * fresh.settings["steps"]
        longer = replace(fresh, settings={**fresh.settings, "steps": steps})
        study = this.vary(ARMS, seeds(number, LONGER, N_SEEDS), [longer])
        write_rows(RESULTS / str(number) / "longer.csv", fresh_rows(this.run(study)))
