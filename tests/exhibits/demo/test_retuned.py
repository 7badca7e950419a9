"""Retuning: the strength is chosen by other seeds than those that are reported."""

import pandas as pd
import pytest

from gordium.exhibits.demo.claims import claim_retuned, pick_strength
from gordium.report.statistics.verdicts import settle


def row(repetition, variant, strength, value):
    return {"repetition": repetition, "variant": variant, "strength": strength, "metric": "mig",
            "value": value}  # fmt: skip


def retuned(reported=4.0):
    rows = []
    for k in range(3):
        rows += [row(k, "choice", 2.0, 0.1), row(k, "choice", 4.0, 0.2 + 0.01 * k)]
        rows += [row(k, "modified", reported, 0.15 + 0.01 * k)]
    return pd.DataFrame(rows)


FRESH = pd.DataFrame(
    row(k, variant, 8.0, value + 0.02 * k)
    for k in range(4)
    for variant, value in (("original", 0.8), ("noise", 0.1))
)


def test_the_best_strength_is_that_of_the_seeds_that_choose():
    assert pick_strength(retuned(reported=2.0)) == 4.0


def test_each_repetition_is_held_against_its_own_originals_and_noise():
    (verdict,) = settle(claim_retuned(FRESH, retuned()), exhibit="demo-retuned", scale="demo")
    original, noise = verdict.lines
    assert (original.line.n, original.line.unit) == (3, "change")
    assert original.line.estimate == pytest.approx(0.16 - 0.82)
    assert noise.line.estimate == pytest.approx(0.16 - 0.12)
    assert (original.outcome, noise.outcome) == ("seen", "not seen")


def test_reported_runs_of_another_strength_are_refused():
    with pytest.raises(ValueError, match="that the other seeds chose"):
        claim_retuned(FRESH, retuned(reported=2.0))


def test_a_best_strength_at_an_end_of_the_range_is_told():
    inside = pd.concat([retuned(), pd.DataFrame([row(0, "choice", 8.0, 0.1)])])
    for table, n in ((retuned(), 3), (inside, 2)):
        [claim] = claim_retuned(FRESH, table)
        assert claim.note == f"the best is at an end of the range tried in {n} of 3"
