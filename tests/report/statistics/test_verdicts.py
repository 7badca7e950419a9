"""The rules of docs/verdict-rules.md, each with lines whose outcome they fix."""

import csv
import dataclasses
import io

import numpy as np
import pandas as pd
import pytest

from gordium.report.statistics.claims import (
    Claim,
    Line,
    direction,
    equivalence,
    identity,
    mean_direction,
    measure_once,
    paired_direction,
    quantity,
)
from gordium.report.statistics.correlation import rank
from gordium.report.statistics.student import mean_interval
from gordium.report.statistics.transfer import settings_agreement
from gordium.report.statistics.verdicts import COLUMNS, as_csv, lines_csv, outcome, settle
from gordium.report.statistics.words import as_markdown, counts, interval, interval_again

FALL = -0.3 + 0.02 * np.sin(np.arange(12))


def line(low, high, *, kind="direction", margin=np.nan, n=10, unit="seed", sign=-1):
    return Line(
        kind=kind, estimate=(low + high) / 2, low=low, high=high, margin=margin, n=n, unit=unit,
        p=0.01, sign=sign,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (line(-0.4, -0.1), "seen"),
        (line(-0.4, 0.1), "inconclusive"),
        (line(0.1, 0.4), "not seen"),
        (line(0.1, 0.4, sign=1), "seen"),
        (line(-0.02, 0.03, margin=0.05), "not seen"),  # surely no fall worth the name
        (line(-0.4, -0.1, n=9), "inconclusive"),
        (line(-0.4, -0.1, n=3, unit="change"), "seen"),
        (line(-0.4, -0.1, n=2, unit="change"), "inconclusive"),
        (line(-0.04, 0.03, kind="equivalence", margin=0.05), "seen"),
        (line(-0.51, 0.55, kind="equivalence", margin=0.05), "inconclusive"),
        (line(0.06, 0.2, kind="equivalence", margin=0.05), "not seen"),
        (line(-0.01, 0.02, kind="quantity", margin=0.05), "seen"),
        (line(-0.5, 0.5, kind="quantity", margin=0.05), "inconclusive"),
        (line(0.01, 0.02, kind="quantity", margin=0.05), "not seen"),
        (identity("", 1e-9, 1e-6, n=3), "seen"),
        (identity("", 1e-3, 1e-6, n=3), "not seen"),
    ],
)
def test_one_line(found, expected):
    assert outcome(found, 0.01) == expected


def test_a_direction_needs_both_p_values():
    assert outcome(line(-0.4, -0.1), 0.06) == "inconclusive"
    once = paired_direction("", np.zeros(12), FALL, -1)
    assert once.exact_p == 2 / 2**12  # all signs alike, both ways
    assert outcome(once, once.p) == "seen"
    assert outcome(dataclasses.replace(once, exact_p=0.06), once.p) == "inconclusive"


def test_a_mean_against_a_bound_has_the_exact_test_and_no_margin():
    found = mean_direction("", FALL, -1)
    assert found.exact_p == pytest.approx(2 / 2**12)
    assert np.isnan(found.margin)
    assert np.isnan(mean_direction("", FALL[:9], -1).exact_p)
    one_sided = np.array([9.0, *[-1.0] * 11])  # the mean is negative by a hair: no test sees it
    assert mean_direction("", one_sided, -1).exact_p > 0.05


def test_holm_runs_over_the_directions_of_an_exhibit():
    claims = [
        Claim("it falls", (paired_direction("a", np.zeros(12), FALL, -1),)),
        Claim("they agree", tuple(direction(x, rank(FALL, FALL), 1) for x in "bc")),
        Claim("it stays", (equivalence("d", mean_interval(FALL), base=10.0),)),
    ]
    found = settle(claims, exhibit="x", scale="laptop")
    p = [judged.line.p for verdict in found[:2] for judged in verdict.lines]
    holm = [judged.p_holm for verdict in found[:2] for judged in verdict.lines]
    assert holm == sorted(holm) or max(holm) <= 3 * max(p)
    assert min(holm) == pytest.approx(3 * min(p))
    assert np.isnan(found[2].lines[0].p_holm)
    assert [verdict.outcome for verdict in found] == ["seen"] * 3


def test_a_claim_is_seen_only_if_all_its_lines_are():
    good, open_ = identity("good", 0.0, 1.0, n=1), identity("bad", 2.0, 1.0, n=1)
    [verdict] = settle([Claim("both", (good, open_))], exhibit="x", scale="smoke")
    assert verdict.outcome == "not seen"
    assert verdict.shown.line.of == "bad"
    assert verdict.text == "both (1 of 2 seen; here: bad)"


def test_a_line_on_the_wrong_side_is_not_hidden_by_a_wide_one_or_by_other_units():
    wide, wrong = line(-90, 80, n=3), dataclasses.replace(line(0.006, 0.075, n=3), of="wrong")
    for lines in ((wide, wrong), (wrong, wide)):
        [verdict] = settle([Claim("it falls", lines)], exhibit="x", scale="smoke")
        assert verdict.outcome == "inconclusive"
        assert verdict.shown.line.of == "wrong"


def test_lines_beside_a_claim_are_shown_and_change_nothing():
    own, other = line(-0.4, -0.1), dataclasses.replace(line(0.1, 0.4), of="another set")
    [alone], [verdict] = (
        settle([Claim("it falls", (own,), beside=beside)], exhibit="x", scale="smoke")
        for beside in ((), (other,))
    )
    # The line beside speaks against the claim, and would halve Holm's level.
    assert (verdict.outcome, verdict.text) == ("seen", "it falls")
    assert verdict.shown.p_holm == alone.shown.p_holm == 0.01
    assert as_csv([verdict]) == as_csv([alone])
    first, second = csv.DictReader(io.StringIO(lines_csv([verdict])))
    assert [first["outcome"], second["outcome"]] == ["seen", "not judged"]
    assert (second["of"], second["estimate"], second["p_holm"]) == ("another set", "0.25", "")
    text = "  - shown, not judged: another set: +0.25 [+0.1, +0.4], n = 10 seeds, p = 0.01"
    assert as_markdown([verdict])[1:] == [text]


def test_a_claim_with_no_line_to_judge_is_shown_and_counts_nowhere():
    once = measure_once("one change", -0.5, -1, unit="change")
    claim = Claim("it falls", (), "judged elsewhere", beside=(once,))
    [verdict] = settle([claim], exhibit="x", scale="smoke")
    assert (verdict.outcome, verdict.text, verdict.kind) == ("not judged", "it falls", "direction")
    assert as_csv([verdict]) == as_csv([])
    assert counts([verdict]) == counts([])
    [row] = csv.DictReader(io.StringIO(lines_csv([verdict])))
    assert (row["outcome"], row["of"]) == ("not judged", "one change")
    assert as_markdown([verdict]) == [
        "- shown, not judged (direction): it falls — judged elsewhere",
        "  - shown, not judged: one change: -0.5, no interval, n = 1 change",
    ]
    assert settle([Claim("no runs", ())], exhibit="x", scale="smoke") == []


def test_lines_of_a_claim_are_of_one_kind():
    with pytest.raises(ValueError, match="must be of one kind; got"):
        Claim("x", (identity("", 0, 1, n=1), quantity("", [1.0, 2.0], 1.0)))


def test_the_table_has_the_columns_that_are_promised():
    numbers = quantity("mean", [1.0, 2.0, 3.0], 2.5)
    [verdict] = settle([Claim("as published", (numbers,))], exhibit="x", scale="laptop")
    [row] = csv.DictReader(io.StringIO(as_csv([verdict])))
    assert tuple(row) == COLUMNS
    assert (row["estimate"], row["margin"], row["n"], row["unit"]) == ("-0.5", "0.625", "3", "seed")
    assert row["p"] == row["p_holm"] == ""
    assert row["outcome"] == "inconclusive"
    [detail] = csv.DictReader(io.StringIO(lines_csv([verdict])))
    assert detail["of"] == "mean"


def test_power_is_of_the_published_difference():
    found = paired_direction("", np.zeros(4), [0.0, 0.2, 0.4, 0.2], 1, published=10.0)
    assert found.power == pytest.approx(1.0)
    assert np.isnan(paired_direction("", [0.0], [1.0], 1).power)


def test_settings_agree_across_data_sets_by_their_means():
    """Three settings in the same order on both sets, whatever single seeds say."""
    one = {"a": (0.1, 0.3), "b": (0.4, 0.5), "c": (0.9, 0.7)}
    other = {"a": (0.0, 0.1), "b": (0.2, 0.1), "c": (0.2, 0.4)}
    frame = pd.DataFrame(
        {"dataset": data, "method": m, "strength": 1.0, "seed": s, "metric": "mig", "value": v}
        for data, cells in (("one", one), ("other", other))
        for m, values in cells.items()
        for s, v in enumerate(values)
    )
    assert settings_agreement(frame, "one", "other", "mig").mean == 1
    assert settings_agreement(frame, "one", "third", "mig").n == 0


@pytest.mark.parametrize(
    ("low", "again", "said"),
    [
        (-0.4, -0.5, "seen"),
        (-0.4, -0.1, "inconclusive"),
        (-0.4, 0.1, "inconclusive"),
        (0.1, 0.2, "not seen"),
        (0.1, -0.1, "inconclusive"),
    ],
)
def test_a_line_with_a_second_comparison_says_what_both_say(low, again, said):
    second = dataclasses.replace(line(again, again + 0.2, n=12), of="without some")
    assert outcome(dataclasses.replace(line(low, low + 0.2), again=second), 0.01) == said


def test_the_greater_p_of_both_comparisons_is_corrected_and_both_are_printed():
    second = dataclasses.replace(line(-0.3, -0.1, n=12), of="without some", p=0.02)
    first = dataclasses.replace(line(-0.4, -0.2), p=0.001, again=second)
    claims = [Claim("it falls", (first,)), Claim("another", (line(-0.4, -0.2),))]
    found = settle(claims, exhibit="x", scale="smoke")
    # 0.01 of the other line is the smaller of the two, and is doubled.
    assert [verdict.shown.p_holm for verdict in found] == [0.02, 0.02]
    assert as_markdown(found)[0] == (
        "- seen (direction): it falls: -0.3 [-0.4, -0.2], n = 10 seeds, p = 0.001, 0.02 after Holm "
        "of the greater p; without some: -0.2 [-0.3, -0.1], n = 12 seeds, p = 0.02"
    )
    assert interval_again(first) == "-0.3 [-0.4, -0.2]; without some: -0.2 [-0.3, -0.1], 12 seeds"
    row, other = csv.DictReader(io.StringIO(lines_csv(found)))
    assert (row["again"], row["again_low"], row["again_n"]) == ("without some", "-0.3", "12")
    assert {other[name] for name in other if name.startswith("again")} == {""}
    [short, _] = csv.DictReader(io.StringIO(as_csv(found)))
    assert tuple(short) == COLUMNS


def test_the_line_that_speaks_least_is_found_by_its_worse_comparison():
    good = dataclasses.replace(line(-0.4, -0.3, sign=-1), of="good alone")
    good = dataclasses.replace(good, again=line(-0.4, 0.3))
    plain = dataclasses.replace(line(-0.4, 0.1), of="plain")
    [verdict] = settle([Claim("it falls", (good, plain))], exhibit="x", scale="smoke")
    assert verdict.shown.line.of == "good alone"


@pytest.mark.parametrize(
    ("rule", "known", "late", "blind"),
    [
        ("2026-11-16", False, False, True),
        ("2026-11-17", False, False, False),
        ("2026-11-17", True, True, False),
        ("2026-11-18", False, True, False),
    ],
)
def test_a_rule_is_late_if_its_rows_were_known_and_blind_if_it_is_older(rule, known, late, blind):
    claim = Claim("it falls", (line(-0.4, -0.1),), rule_date=rule, rows_known=known)
    [verdict] = settle([claim], exhibit="x", scale="smoke")
    assert not verdict.is_late or known  # no day is known of the rows
    dated = dataclasses.replace(verdict, dates={"x": "2026-11-17"})
    assert (dated.is_late, dated.is_blind) == (late, blind)


def test_a_line_of_other_rows_has_their_scale_and_day():
    own, other = line(-0.4, -0.1), dataclasses.replace(line(-0.4, -0.1), rows_of="demo")
    [verdict] = settle([Claim("it falls", (own, other))], exhibit="x", scale="laptop")
    dated = dataclasses.replace(verdict, dates={"x": "2026-11-16", "demo": "2026-11-17"})
    rows = csv.DictReader(io.StringIO(lines_csv([dated])))
    assert [(row["scale"], row["rows_date"]) for row in rows] == [
        ("laptop", "2026-11-16"),
        ("demo", "2026-11-17"),
    ]


@pytest.mark.parametrize("kind", ["equivalence", "quantity"])
@pytest.mark.parametrize(("low", "said"), [(-0.1, "seen"), (0.3, "not seen")])
@pytest.mark.parametrize(("unit", "few", "enough"), [("seed", 9, 10), ("change", 2, 3)])
def test_too_few_units_say_nothing_either_way(kind, low, said, unit, few, enough):
    line = Line(kind=kind, estimate=0.0, low=low, high=low + 0.2, margin=0.2, n=few, unit=unit)
    assert outcome(line, float("nan")) == "inconclusive"
    assert outcome(dataclasses.replace(line, n=enough), float("nan")) == said


@pytest.mark.parametrize("value", [0.0, 0.1, -2.0])
def test_units_that_are_all_alike_say_nothing(value):
    alike = [value] * 12
    lines = {
        "falls": mean_direction("", alike, -1),
        "stays": equivalence("", mean_interval(alike), base=100.0),
        "as published": quantity("", alike, 5.0),
    }
    claims = [Claim(text, (line,)) for text, line in lines.items()]
    claims.append(Claim("another", (paired_direction("", np.zeros(12), FALL, -1),)))
    *found, another = settle(claims, exhibit="x", scale="laptop")
    assert [verdict.outcome for verdict in found] == ["inconclusive"] * 3
    assert interval(found[0].shown.line) == f"{value:+.3g}, no interval"
    # Holm's correction runs over the one direction that was tested.
    assert another.shown.p_holm == another.shown.line.p


def test_a_method_without_runs_has_no_number():
    claim = Claim("falls", (line(np.nan, np.nan, n=0),))
    [verdict] = settle([claim], exhibit="x", scale="smoke")
    assert interval(verdict.shown.line) == "no such runs here"
    assert "nan" not in "".join(as_markdown([verdict]))
