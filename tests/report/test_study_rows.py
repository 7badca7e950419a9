"""Rows in a file: what is read is what was written, and who adds to them loses none."""

import subprocess
import sys
from pathlib import Path

import pytest

from gordium.report.study_rows import CHECK, COLUMNS, read_study_rows, write_study_rows

ADDS = """
import sys
from pathlib import Path
from gordium.report.study_rows import add_to
sys.path.insert(0, sys.argv[3])
from test_study_rows import row
for k in range(20):
    add_to(Path(sys.argv[1]), [row(f"{sys.argv[2]}{k}")])
"""


def row(run: str) -> dict:
    given = dict.fromkeys(COLUMNS) | {"run": run, "variant": "=original", "metric": "mig"}
    return given | {
        "value": -0.125,
        "seed": 3,
        "failed": False,
        "hyperparameters": '{"a": "x,\\n"}',
    }


def test_rows_come_back_and_old_files_have_no_checks(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    write_study_rows(path, [row("a"), row("b")])
    assert read_study_rows(path) == [row("a"), row("b")]
    old = "\n".join(line.rpartition(",")[0] for line in path.read_text().splitlines())
    path.write_text(old)
    assert CHECK not in old
    assert read_study_rows(path) == [row("a"), row("b")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("-0.125", "-0.126"),
        ("False", "Fa1se"),
        (",mig,", ",sap,"),
        (",check", ""),
        ("mig,", "mig,,"),
    ],
)
def test_a_changed_row_is_refused_with_its_file(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "rows.csv"
    write_study_rows(path, [row("a")])
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(ValueError, match=r"rows\.csv holds no rows of a study, or changed ones"):
        read_study_rows(path)


def test_two_that_add_to_one_file_lose_no_row(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    words = [sys.executable, "-c", ADDS, str(path)]
    here = str(Path(__file__).parent)
    others = [subprocess.Popen([*words, name, here]) for name in "ab"]
    assert [other.wait() for other in others] == [0, 0]
    assert {row["run"] for row in read_study_rows(path)} == {
        f"{n}{k}" for n in "ab" for k in range(20)
    }
