"""Which folders count as repetitions, and by which rules they are judged."""

import tomllib

from gordium.exhibits.demo import find_rung
from gordium.exhibits.demo.judging import RUNGS, read_repetitions
from gordium.exhibits.studies import study_file
from gordium.report.rows import Row, write_rows


def test_folders_that_are_no_numbers_are_passed_over(tmp_path):
    for name in ("10", "2", "0-old", "old", "3x"):
        write_rows(tmp_path / name / "rows.csv", [Row("d", "original", "vae", 1.0, 0, "mig", 0.5)])
    (tmp_path / "4").mkdir()
    (tmp_path / "5").write_text("a file")
    assert read_repetitions(tmp_path)["repetition"].tolist() == [2, 10]
    assert read_repetitions(tmp_path / "nowhere").empty


def test_every_rung_but_the_demo_itself_has_a_rule_by_the_name_of_its_study():
    rungs = tomllib.loads(study_file("demo").read_text(encoding="utf-8"))["scale"]
    assert {find_rung(name).name for name in rungs} - set(RUNGS) == {"demo-0"}
