import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from gordium.table_text import csv_text, markdown_cell, read_cell


@given(st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0\r")))
def test_no_cell_is_a_formula_and_every_text_comes_back(text):
    row = next(csv.DictReader(io.StringIO(csv_text(["name"], [{"name": text}])), restval=""), None)
    cell = "" if row is None else row["name"]
    assert cell[:1] not in ("=", "+", "-", "@") or cell.replace(".", "").lstrip("+-").isalnum()
    assert read_cell(cell) == text


def test_negative_numbers_stay_numbers():
    assert csv_text(["a", "b"], [{"a": -1.5, "b": "-2e-3"}]) == "a,b\n-1.5,-2e-3\n"


@given(st.text())
def test_a_markdown_cell_has_no_markup_and_one_line(text):
    cell = markdown_cell(text)
    assert "<" not in cell
    assert "\n" not in cell
    assert "|" not in cell.replace(r"\|", "")
