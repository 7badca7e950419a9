"""What became of the earlier page's effects stands beside them."""

import csv
import importlib.util
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def script():
    path = ROOT / "docs" / "figures" / "recount.py"
    spec = importlib.util.spec_from_file_location("recount", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_recount_is_up_to_date(script):
    committed = script.RECOUNT.read_text(encoding="utf-8")
    assert committed == script.recount(), "run `python docs/figures/recount.py`."


def test_what_was_kept_names_its_claims_and_what_was_withdrawn_none(script):
    for line in script.read(script.RECOUNT):
        assert bool(line["claims"]) == (line["kept"] == "yes"), line


def test_no_claim_is_counted_for_two_groups(script):
    counts = Counter(
        (line["exhibit"], start)
        for line in script.read(script.RECOUNT)
        for start in line["claims"].split("; ")
        if start
    )
    assert not [claim for claim, n in counts.items() if n > 1]


def test_outcomes_are_counted_by_hand(script):
    verdicts = [
        {"exhibit": "a", "claim": "pigs fly (1 of 2 seen)", "outcome": "inconclusive"},
        {"exhibit": "a", "claim": "pigs run", "outcome": "seen"},
        {"exhibit": "b", "claim": "pigs run", "outcome": "not seen"},
    ]
    line = {"exhibit": "a", "claims": "pigs fly; pigs run", "kept": "yes"}
    assert script.say_now(line, verdicts) == "1 seen, 1 inconclusive"
    assert script.say_now({**line, "kept": "no"}, verdicts) == "withdrawn"
    with pytest.raises(ValueError, match="2 claims begin with 'pigs'; name one"):
        script.say_now({**line, "claims": "pigs"}, verdicts)


def test_before_and_after_are_columns_of_one_table(script):
    with script.RECOUNT.open(encoding="utf-8", newline="") as file:
        head = next(csv.reader(file))
    assert head == ["exhibit", "was", "effects", "seen", "reason", "kept", "claims", "now"]
