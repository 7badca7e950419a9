"""Writes results/demo/ablation.csv: which departures from supplement B.1 the demo's change needs.

    python docs/figures/ablation.py FOLDER [DEPARTURE ...] [--table again.csv]

FOLDER may hold repetitions of `gordium demo`, whose searched runs are used again; what is missing
is searched there, what is added stays, and the same command goes on where it was stopped. Each
departure learns changes from the runs that a repetition has searched, and trains the repetition's
probe seeds on every one of them. A line is one probe run on one change: nothing is selected. The
departures that are named are made first, in that order, all others after them.
"""

import argparse
from dataclasses import dataclass, replace
from pathlib import Path

from changes import HOW, IMAGES, write_table

from gordium.datasets import Dataset
from gordium.exhibits.demo.repetition import Repetition, Rows
from gordium.manipulation import ManipulationSettings
from gordium.report.rows import fresh_rows
from gordium.study.data import MODIFIED
from gordium.study.equal_noise import measure_size
from gordium.training import Adam

WAVES = (1.0, 0.6)
ONCE, TWICE = (None,), (None, None)
REPETITIONS = (0, 1, 2)


@dataclass(frozen=True)
class Departure:
    """How changes are learned: settings, one start for each change, and from how many pairs."""

    learning: ManipulationSettings
    starts: tuple[float | None, ...]
    pairs: int = 2


def list_departures(ours: ManipulationSettings) -> dict[str, Departure]:
    """Our settings, their parts taken back one by one, and supplement B.1 with its parts mended.

    The published 20,000 steps of 64 images would take hours a change; batches of 16 and 1,500
    steps are what B.1 is held at here, and once four times as many.
    """
    fast = ours.optimiser
    published = ManipulationSettings(steps=1500, batch_size=16)
    slow = Adam(learning_rate=1e-4, eps=1e-7)
    return {
        "the recipe": Departure(ours, WAVES),
        "random start": Departure(ours, TWICE),
        "neuron of weights 10": Departure(replace(ours, neuron_weight=10.0), TWICE),
        "one pair": Departure(ours, WAVES, pairs=1),
        "50 steps": Departure(replace(ours, steps=50), WAVES),
        "800 steps": Departure(replace(ours, steps=800), WAVES),
        "rate of B.1": Departure(replace(ours, optimiser=slow), WAVES),
        "B.1": Departure(published, ONCE),
        "B.1, all rates 3e-3": Departure(
            replace(published, optimiser=fast, decoder_optimiser=fast), ONCE
        ),
        "B.1, change at 3e-3, decoders at 1e-4": Departure(
            replace(published, optimiser=fast), ONCE
        ),
        "B.1, all rates 3e-3, start as a wave": Departure(
            replace(published, optimiser=fast, decoder_optimiser=fast), WAVES[:1]
        ),
        "B.1, all rates 3e-3, batches of 64": Departure(
            replace(published, optimiser=fast, decoder_optimiser=fast, batch_size=64, steps=600),
            ONCE,
        ),
        "B.1, 6,000 steps": Departure(replace(published, steps=6000), ONCE),
    }


def probe_departure(this: Repetition, name: str) -> tuple[list[Dataset], list[Rows]]:
    """The images that a departure's changes make, and the rows of the probes on each.

    Each change is a study of its own: its fresh runs are the probes.
    """
    departure, probe = list_departures(this.search.learning)[name], this.search.probe
    assert probe is not None
    learning = replace(departure.learning, seed=this.search.learning.seed)
    alone = replace(this.search, most_used=departure.pairs, waves=(), probe=None)
    sets, rows = [], []
    for k, start in enumerate(replace(alone, learning=learning, waves=departure.starts).starts):
        search = replace(alone, learning=start)
        data = replace(this.data, variants=(MODIFIED,), search=search)
        study = replace(this.study, data={this.name: data}, seeds=probe.seeds, arms=(probe.arm,))
        found = fresh_rows(this.run(study))
        rows.append([row._replace(variant=f"{name} {k + 1}") for row in found])
        sets.append(this.find_arms(study)[MODIFIED])
    return sets, rows


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
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("first", nargs="*")
    parser.add_argument("--table", default="ablation.csv")
    asked = parser.parse_args()
    lines: list[dict[str, object]] = []
    ours = Repetition(0, HOW, asked.folder).search.learning
    for departure in dict.fromkeys([*asked.first, *list_departures(ours)]):
        for number in REPETITIONS:
            lines += measure(asked.folder, number, departure)
            write_table(asked.table, lines)
