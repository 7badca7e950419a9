"""Writes results/demo/minima.csv: are the runs that a search finds still what they were, later on?

    python docs/figures/minima.py FOLDER K...

FOLDER/K holds a finished repetition of `gordium demo`. The searched runs that its changes are
learned from, and its fresh runs on modified images, go on with the original images, as many steps
and at the rate that fresh runs have. A line is one run: MIG, active units and loss as it was, on
its own images, and afterwards.
"""

import sys
from pathlib import Path
from statistics import fmean

from changes import HOW, IMAGES, write_table

import gordium as gd
from gordium.datasets import Dataset
from gordium.exhibits.demo import Repetition
from gordium.geometry import active_units
from gordium.study.data import MODIFIED
from gordium.study.nodes import Node
from gordium.study.plan import make_plan
from gordium.study.searching import find_searched
from gordium.training import Run, Task, pick_device, run_steps
from gordium.training.step import training_steps


def go_on(run: Run, this: Repetition) -> Run:
    """The run after as many more steps as a fresh run has, on the original images."""
    [arm] = this.study.arms
    [later] = this.study.runs_of(this.name, arm, IMAGES, [run.spec.settings.seed])
    images = gd.datasets.in_memory(IMAGES)
    steps = training_steps(later.method, images, later.settings, pick_device("cpu"))
    steps.model.load_state_dict(run.model.state_dict())
    history = run_steps(Task("training", steps.n, steps.take, steps.parts))
    return Run(steps.model.eval(), history, run.config, None, later)


def describe(run: Run, images: Dataset) -> dict[str, object]:
    """MIG and active units on all images, and the mean loss of the last tenth of its history."""
    found = gd.encode(run.model, images)
    active = int(active_units(found.require_log_variances()).sum())
    last = run.history[-max(1, len(run.history) // 10) :]
    mig = gd.metrics.mig(found.codes, found.factors)
    return {"mig": mig, "active": active, "loss": fmean(row["loss"] for row in last)}


def measure(folder: Path, repetition: int) -> list[dict[str, object]]:
    """One line for each run that the changes of a repetition are learned from."""
    this = Repetition(repetition, HOW, folder / str(repetition), workers=1, controls=False)
    kinds: dict[str, list[Node]] = find_searched(this.name, this.study, this.store)._asdict()
    nodes = make_plan(this.study, this.store).nodes
    kinds[MODIFIED] = [node for node in nodes if node.labels["variant"] == MODIFIED]
    arms, lines = this.find_arms(), []
    for kind, found in kinds.items():
        for node in found:
            run = gd.load_run(this.store.run_folder(node.key))
            before = describe(run, arms.get(kind, IMAGES))
            after = describe(go_on(run, this), IMAGES)
            line = {"repetition": repetition, "kind": kind, "seed": run.spec.settings.seed}
            lines.append(line | before | {f"{name}_later": x for name, x in after.items()})
    return lines


if __name__ == "__main__":
    folder, *numbers = sys.argv[1:]
    write_table("minima.csv", [x for k in numbers for x in measure(Path(folder), int(k))])
