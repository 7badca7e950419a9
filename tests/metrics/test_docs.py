"""docs/metrics.md says what the code computes: its tables are made anew and compared."""

import sys
from pathlib import Path

import pytest

from gordium.metrics import METRICS, UNSUPERVISED

FIGURES = Path(__file__).resolve().parents[2] / "docs" / "figures"
sys.path.insert(0, str(FIGURES))

from metric_page import CASES  # noqa: E402
from metric_page.case import number  # noqa: E402
from metric_page.page import PAGE, written  # noqa: E402
from metric_page.tables import SLOW, TABLES, names  # noqa: E402

ROUNDING = 0.0015  # three decimals, and one unit of the last for other machines
# Scores are means of 900 predictions. Where an iterative fit stops decides the closest ones, and
# that differs between processors: three of them.
PREDICTIONS = {"downstream_logistic": 3 / 900}


def check_row(cells, values, rounding=ROUNDING):
    assert list(cells) == list(values)
    for column, value in values.items():
        cell, text = cells[column], number(value)
        if cell != text:
            assert float(cell) == pytest.approx(float(text), abs=rounding), column


@pytest.mark.parametrize("name", CASES)
def test_a_case_that_misleads_scores_as_the_page_says(name):
    table, scores = written(name), CASES[name]().scores
    assert list(table) == list(scores), f"run `python docs/figures/metrics.py {name}`."
    for row, values in scores.items():
        check_row(table[row], values, PREDICTIONS.get(name, ROUNDING))


@pytest.mark.parametrize("name", TABLES)
def test_the_quick_rows_of_the_summaries_are_as_the_page_says(name):
    table = written(name)
    assert list(table) == [f"`{metric}`" for metric in names()], (
        f"docs/metrics.md has other rows: `python docs/figures/metrics.py {name}` makes them anew."
    )
    for metric in set(names()) - SLOW:
        check_row(table[f"`{metric}`"], TABLES[name](metric))


@pytest.mark.parametrize("name", [*METRICS, "udr"])
def test_tables_written_by_hand_name_every_metric(name):
    factors, glance = (
        PAGE.read_text("utf-8").split(f"\n## {title}\n")[1].split("\n## ")[0]
        for title in ("Factors that are real numbers", "At a glance")
    )
    assert f"`{name}`" in glance, f"docs/metrics.md: give {name} a row under 'At a glance'."
    assert f"`{name}`" in factors or name in UNSUPERVISED or name == "udr", (
        f"docs/metrics.md: say under 'Factors that are real numbers' how {name} treats them."
    )


def test_every_metric_has_a_section_and_a_picture_of_less_than_60_kb():
    text = PAGE.read_text("utf-8")
    missing = {*METRICS, "udr", "active_units", "over_pruned"} ^ set(CASES)
    assert not missing, (
        f"{missing}: write a function `of_NAME` for it, a case that misleads, in a file of "
        "docs/figures/metric_page/."
    )
    for name in CASES:
        assert f"\n### `{name}`" in text, f"docs/metrics.md needs a section '### `{name}`'."
        assert f"(images/metrics/{name}.png)" in text, f"show images/metrics/{name}.png in it."
        picture = PAGE.parent / "images" / "metrics" / f"{name}.png"
        assert picture.is_file(), f"`python docs/figures/metrics.py {name}` makes {picture}."
        assert picture.stat().st_size < 60_000
