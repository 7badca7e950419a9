"""docs/methods.md shows every method, and its table is that of the committed rows."""

import importlib.util
from pathlib import Path

import pytest

from gordium.methods import METHODS

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "methods.md").read_text("utf-8")


def load():
    path = DOCS / "figures" / "methods.py"
    spec = importlib.util.spec_from_file_location("methods_figure", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


script = load()
SCORES = PAGE.split(script.START)[1].split(script.END)[0]
COSTS = PAGE.split("\n## What they cost\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("name", METHODS)
def test_a_method_is_in_the_tables_and_in_a_picture(name):
    command = f"python docs/figures/methods.py {name} --runs FOLDER"
    assert f"| `{name}` |" in SCORES, f"docs/methods.md has no scores of {name}: `{command}`."
    if name != "pcl":  # it has no decoder
        assert (DOCS / "images" / "methods" / f"{name}.png").is_file(), f"`{command}` draws it."
        shown = f"(images/methods/{name}.png)"
        assert shown in PAGE, f"show it in docs/methods.md: ![{name}]{shown}."
    assert f"`{name}`" in COSTS or name == "beta-vae", (
        f"docs/methods.md does not say what {name} costs: `python benchmarks/methods.py {name}` "
        "measures it; give it a line under 'What they cost'."
    )


def test_the_table_of_scores_is_that_of_the_committed_rows():
    assert SCORES.strip().splitlines() == script.table(script.read_rows()), (
        "docs/methods.md is not what results/methods.csv says: `python docs/figures/methods.py "
        "NAME --runs FOLDER` writes both."
    )


def test_a_method_trained_anew_leaves_the_rows_of_others_as_they_are():
    old = script.read_rows()
    assert script.merge(old, []) == old
    again = [{**row, "value": 0.5} for row in old if row["method"] == "vae"]
    found = script.merge(old, again)
    assert [row for row in found if row["method"] != "vae"] == [
        row for row in old if row["method"] != "vae"
    ]
    assert [row for row in found if row["method"] == "vae"] == again
