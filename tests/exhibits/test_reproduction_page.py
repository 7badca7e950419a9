"""The page, the verdicts and each exhibit's own are what the script makes of the committed rows."""

import csv
import importlib.util
from collections import Counter
from pathlib import Path

import pytest

from gordium.exhibits.catalogue import CATALOGUE
from gordium.report.statistics.claims import RULE_DATE
from gordium.report.statistics.verdicts import COLUMNS

ROOT = Path(__file__).parents[2]
WITH_THE_FIRST_RULES = 86  # so many claims have a rule of the first day


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
        committed = path.read_text(encoding="utf-8") if path.is_file() else ""
        assert committed == text, f"{path}: run `python docs/figures/reproduction.py`."


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
    assert not missing, f"make results/{name} anew in the folder that holds all of its runs."


def test_every_exhibit_is_linked(script, outputs):
    text = outputs[script.PAGE]
    for name in CATALOGUE:
        assert f"(../results/{name}/table.md)" in text, (
            f"{name} is not on the page. Without rows: `gordium reproduce {name} --scale laptop "
            f"--runs FOLDER --out results/{name}`. With rows: name its paper in `exhibits` of a "
            "[[paper]] in docs/figures/key_claims.toml. Then `python docs/figures/reproduction.py`."
        )


def test_a_new_claim_has_the_date_of_its_own_rule():
    with (ROOT / "results" / "verdicts.csv").open(encoding="utf-8", newline="") as file:
        first = [row["claim"] for row in csv.DictReader(file) if row["rule_date"] == RULE_DATE]
    assert len(first) <= WITH_THE_FIRST_RULES, (
        f"more claims than the first {WITH_THE_FIRST_RULES} have the default rule_date "
        f"{RULE_DATE}, and would count as judged blind. Say when the rule of a new claim was "
        "written: Claim(..., rule_date='YYYY-MM-DD'). If its rule is as old, change the number."
    )


def test_the_recount_accounts_for_every_effect_of_the_earlier_page(script):
    lines = script.read_recount()
    assert sum(int(line["effects"]) for line in lines) == 263
    assert sum(int(line["seen"]) for line in lines) == 194


def test_a_claim_that_is_not_there_is_named(script):
    with pytest.raises(ValueError, match="0 claims begin with 'pigs fly'"):
        script.pick([], "pigs fly")
