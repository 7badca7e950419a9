"""Writes results/demo/ablation.csv: which parts of the demo's recipe the change needs.

    python docs/figures/ablation.py FOLDER [REPETITION ...]

FOLDER holds finished repetitions of `gordium demo`, whose searched runs are used again; what is
added stays there, and the same command goes on where it was stopped. A line is one probe run on
one change: nothing is selected.
"""

import sys
from pathlib import Path

from changes import HOW, IMAGES, write_table

from gordium.exhibits.demo.ablation import list_departures, probe_departure
from gordium.exhibits.demo.repetition import Repetition
from gordium.study.equal_noise import measure_size


def measure(folder: Path, repetition: int, name: str) -> list[dict[str, object]]:
    """One line for each probe run on each change that a departure learned in a repetition."""
    this = Repetition(repetition, HOW, folder / str(repetition), workers=1)
    sets, rows = probe_departure(this, name)
    return [
        {"departure": name, "repetition": repetition, "change": k + 1, "seed": row.seed}
        | {"mig": row.value, "asleep": int(bool(row.over_pruned))}
        | {"rms": measure_size(IMAGES, dataset)}
        for k, (dataset, some) in enumerate(zip(sets, rows, strict=True))
        for row in some
        if row.metric == "mig"
    ]


if __name__ == "__main__":
    place = Path(sys.argv[1])
    numbers = [int(number) for number in sys.argv[2:]] or [0, 1, 2]
    lines: list[dict[str, object]] = []
    ours = Repetition(0, HOW, place).search.learning
    for departure in list_departures(ours):
        for number in numbers:
            lines += measure(place, number, departure)
        write_table("ablation.csv", lines)
