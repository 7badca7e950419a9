"""Committed rows that call themselves `laptop` have the seeds that `laptop` declares."""

import csv
import json
from itertools import chain
from pathlib import Path

import pytest

from gordium.exhibits.base import Made, Place
from gordium.exhibits.reproduce import reproduce, write_made
from gordium.exhibits.rolinek2019 import figure3, figure_s4, table1, table2, table_s4
from gordium.exhibits.runs import pick_seeds
from gordium.exhibits.stuehmer2020.figure3 import choose_scale
from gordium.exhibits.zietlow2021 import theorem1

RESULTS = Path(__file__).parents[2] / "results"
EVERY = ""  # of exhibits without a column of data sets
DECLARED = {
    "rolinek2019-table1": {name: size.seeds for name, size in table1.SIZES["laptop"].items()},
    "rolinek2019-table2": {name: pick_seeds(n) for name, n in table2.SIZES["laptop"].items()},
    "rolinek2019-tableS4": {EVERY: table_s4.SEEDS["laptop"]},
    "rolinek2019-figure3": {EVERY: [plan.seed for plan in figure3.declare_plans("laptop")]},
    "rolinek2019-figureS4": {
        name: figure_s4.SEEDS["laptop"] for name in figure_s4.SWEEPS["laptop"]
    },
    "stuehmer2020-figure3": {EVERY: pick_seeds(choose_scale("laptop").seeds)},
    "zietlow2021-theorem1": {EVERY: theorem1.SIZES["laptop"].seeds},
}
UNTRAINED = ("random-decoder", "random-matrix")


def read_summary(name):
    return json.loads((RESULTS / name / "exhibit.json").read_text(encoding="utf-8"))


def find_seeds(name):
    """The seeds of trained models in the committed rows, by data set."""
    with (RESULTS / name / "rows.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row.get("model") not in UNTRAINED]
    found = {}
    for row in rows:
        if row["seed"]:
            found.setdefault(row.get("data", EVERY), set()).add(int(float(row["seed"])))
    return found


@pytest.mark.parametrize("name", DECLARED)
def test_rows_have_the_seeds_of_their_scale(name):
    summary, found = read_summary(name), find_seeds(name)
    kept = [note for note in summary["notes"] if note.startswith("Kept as they were")]
    named = set(chain(*(note.replace(",", " ").replace(".", " ").split() for note in kept)))
    declared = {data: set(seeds) for data, seeds in DECLARED[name].items()}
    apart = {data for data in declared if found.get(data) != declared[data]} - named
    assert bool(apart) == (summary["scale"] == "earlier"), (
        f"results/{name}/exhibit.json says scale {summary['scale']!r}, and the seeds of "
        f"{sorted(apart) or 'no data set'} are others than `laptop` declares."
    )


def test_rows_of_a_former_declaration_say_that_the_command_makes_others(tmp_path):
    row = {"dto": 1.0, "disentanglement": 1.0, "seed": 0, "steps": 5}
    made = Made(("what",), [("a",)], [row])
    for scale, ends in (("laptop", "`."), ("earlier", "Today the command makes other rows.")):
        write_made("rolinek2019-figure3", made, scale=scale, out=tmp_path, command="gordium x")
        text = (tmp_path / "table.md").read_text(encoding="utf-8")
        assert text.rstrip().endswith(ends)
        assert "nan" not in text


def test_a_former_declaration_cannot_be_made(tmp_path):
    with pytest.raises(ValueError, match="unknown scale 'earlier'"):
        reproduce("rolinek2019-table2", Place("earlier", tmp_path), out=tmp_path, command="")
