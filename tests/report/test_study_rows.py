"""Rows in a file: what is read is what was written, and who adds to them loses none."""

import subprocess
import sys
from pathlib import Path

import pytest

from gordium.report.rows import Row, read_rows, write_rows, write_runs

ADDS = """
import sys
from pathlib import Path
from gordium.report.rows import Row
from gordium.report.study_rows import add_to
for k in range(20):
    run = f"{sys.argv[2]}{k}"
    add_to(Path(sys.argv[1]), [Row("a", "original", "vae", None, k, "mig", 0.5, run=run)])
"""
ROW = Row("=a", "original", "vae", 1.0, 3, "mig", -0.125, hyperparameters='{"a": "x,\n"}', run="k")


@pytest.mark.parametrize(
    ("old", "new"), [("-0.125", "-0.12x"), ("False", "Fa1se"), ("mig,", "mig,,"), ("run", "rum")]
)
def test_a_damaged_row_is_refused_with_its_file(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "rows.csv"
    write_rows(path, [ROW])
    assert read_rows(path) == [ROW]
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(ValueError, match=r"rows\.csv (is damaged|holds no rows)"):
        read_rows(path)


def test_rows_written_by_run_are_the_same_bytes_as_one_by_one(tmp_path: Path) -> None:
    """Also where cells are formulas, quoted or empty, or equal but other text, as 1 and 1.0."""
    scores = {"mig": -0.125, "=sap": None, "a,b": 1e-300, "": 3.0, "whole": 1}
    runs = [(ROW, scores), (ROW._replace(strength=1), scores), (ROW._replace(seed=-4), {})]
    runs.append((Row("a", "original", "vae", None, 0, "", None, failed=True), {"": None}))
    each = [row._replace(metric=k, value=v) for row, found in runs for k, v in found.items()]
    write_rows(tmp_path / "each.csv", each)
    assert write_runs(tmp_path / "runs.csv", runs) == len(each) == 11
    assert (tmp_path / "runs.csv").read_bytes() == (tmp_path / "each.csv").read_bytes()


def test_two_that_add_to_one_file_lose_no_row(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    others = [subprocess.Popen([sys.executable, "-c", ADDS, str(path), name]) for name in "ab"]
    assert [other.wait() for other in others] == [0, 0]
    assert {row.run for row in read_rows(path)} == {f"{n}{k}" for n in "ab" for k in range(20)}
