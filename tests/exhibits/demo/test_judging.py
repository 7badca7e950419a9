"""Which folders count as repetitions."""

from gordium.exhibits.demo.judging import read_repetitions
from gordium.report.rows import Row, write_rows


def test_folders_that_are_no_numbers_are_passed_over(tmp_path):
    for name in ("10", "2", "0-old", "old", "3x"):
        write_rows(tmp_path / name / "rows.csv", [Row("d", "original", "vae", 1.0, 0, "mig", 0.5)])
    (tmp_path / "4").mkdir()
    (tmp_path / "5").write_text("a file")
    assert read_repetitions(tmp_path)["repetition"].tolist() == [2, 10]
    assert read_repetitions(tmp_path / "nowhere").empty
