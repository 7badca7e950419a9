"""The page, the verdicts and each exhibit's own are what the script makes of the committed rows."""

import csv
import importlib.util
from collections import Counter
from pathlib import Path

import pytest

from gordium.exhibits.catalogue import CATALOGUE
from gordium.report.statistics.verdicts import COLUMNS

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def script():
    path = ROOT / "docs" / "figures" / "reproduction.py"
    spec = importlib.util.spec_from_file_location("reproduction", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def outputs(script):
    return script.outputs()


def test_everything_that_is_committed_is_up_to_date(outputs):
    for path, text in outputs.items():
        assert path.read_text(encoding="utf-8") == text, "run `python docs/figures/reproduction.py`"


def test_the_verdicts_have_the_promised_columns(outputs):
    lines = outputs[ROOT / "results" / "verdicts.csv"].splitlines()
    assert tuple(lines[0].split(",")) == COLUMNS


def test_the_page_counts_what_the_table_holds(script, outputs):
    text = outputs[script.PAGE]
    with (ROOT / "results" / "verdicts.csv").open(encoding="utf-8", newline="") as file:
        found = Counter((row["kind"], row["outcome"]) for row in csv.DictReader(file))
    for kind in ("identity", "direction", "equivalence", "quantity"):
        numbers = [found[kind, word] for word in ("seen", "not seen", "inconclusive")]
        assert f"| {kind} | {' | '.join(map(str, numbers))} |" in text


def test_limits_come_before_any_paper(script, outputs):
    text = outputs[script.PAGE]
    assert 0 < text.index("## Limits first") < text.index("## Zietlow et al. 2021")


@pytest.mark.parametrize("name", CATALOGUE)
def test_no_run_is_missing_from_committed_rows(script, name):
    """Written anew where only some runs are at hand, an exhibit loses the others' rows."""
    assert (ROOT / "results" / name / "exhibit.json").is_file(), (
        f"`gordium reproduce {name} --scale laptop --runs FOLDER --out results/{name}` makes its "
        "rows; commit them, with a line in results/rows_dates.csv."
    )
    missing = [note for note in script.summary(name)["notes"] if "INCOMPLETE" in note]
    assert not missing


def test_every_exhibit_is_linked(script, outputs):
    text = outputs[script.PAGE]
    for name in CATALOGUE:
        assert f"(../results/{name}/table.md)" in text, (
            f"{name} has no rows: gordium reproduce {name} --scale laptop --runs FOLDER --out "
            f"results/{name}, then python docs/figures/reproduction.py."
        )


def test_the_recount_accounts_for_every_effect_of_the_earlier_page(script):
    lines = script.read_recount()
    assert sum(int(line["effects"]) for line in lines) == 263
    assert sum(int(line["seen"]) for line in lines) == 194


def test_a_claim_that_is_not_there_is_named(script):
    with pytest.raises(ValueError, match="0 claims begin with 'pigs fly'"):
        script.pick([], "pigs fly")
