"""`gordium study` on the command line: run, status, rows, and mistakes."""

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gordium.cli.main import app

FILE = """
name = "short"
metrics = ["mcc"]
seeds = 2

[settings]
steps = 5
architecture = "linear"
likelihood = "gaussian"

[data.square]
name = "synthetic-linear"
n = 100

[method.beta-vae]
beta = 0.01
"""


def study(*arguments: object):
    return CliRunner(env={"COLUMNS": "160"}).invoke(app, ["study", *map(str, arguments)])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "short.toml").write_text(FILE)
    return tmp_path / "short.toml"


def test_run_status_and_rows(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = study("run", file, "--out", out, "--workers", 1)
    assert done.exit_code == 0, done.stderr
    shown = study("status", out)
    assert shown.exit_code == 0
    assert "square" in shown.stdout
    written = study("rows", out)
    assert "wrote 10 rows" in written.stdout
    with (out / "rows.csv").open() as lines:
        rows = [row for row in csv.DictReader(lines) if row["metric"] == "mcc"]
    assert [row["seed"] for row in rows] == ["0", "1"]
    assert all(row["method"] == "beta-vae" and row["strength"] == "0.01" for row in rows)

    summed = study("report", out)
    assert summed.exit_code == 0, summed.stderr
    assert "mcc" in (out / "report" / "report.html").read_text()
    assert "beta-vae" in (out / "report" / "table-mcc.md").read_text()
    assert "beta-vae" in (out / "report" / "table-mcc.tex").read_text()

    # Rows that are committed count as done, and new ones are added to them.
    kept = tmp_path / "kept.csv"
    study("rows", out, "--into", kept)
    file.write_text(FILE.replace("seeds = 2", "seeds = 3"))
    more = study("run", file, "--out", tmp_path / "more", "--rows", kept, "--workers", 1)
    assert more.exit_code == 0, more.stderr
    assert len(list((tmp_path / "more" / "runs").iterdir())) == 1
    assert "wrote 15 rows" in study("rows", tmp_path / "more", "--into", kept).stdout
    both = study("rows", out, "--into", kept, "--format", "parquet")
    assert both.exit_code == 2
    assert "without --out and --format" in both.stderr


def test_a_failure_sets_the_exit_code_and_is_named(file: Path, tmp_path: Path) -> None:
    file.write_text(FILE + "\n[method.slow-vae]\n")
    done = study("run", file, "--out", tmp_path / "out", "--workers", 1)
    assert done.exit_code == 1
    assert "failed: square original slow-vae" in done.stdout
    assert "--retry-failed" in done.stdout


def test_the_price_comes_before_the_work(file: Path, tmp_path: Path) -> None:
    done = study("run", file, "--out", tmp_path / "out", "--dry-run")
    assert json.loads(done.stdout)["runs"] == 2
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("status", "nowhere"), "is not a study"),
        (("rows", "nowhere"), "is not a study"),
        (("report", "nowhere"), "is not a study"),
        (("run", "nowhere.toml", "--out", "x"), "nowhere.toml"),
    ],
)
def test_mistakes_are_named(arguments: tuple[str, ...], message: str) -> None:
    done = study(*arguments)
    assert done.exit_code != 0
    assert message in done.stderr


def test_an_unknown_scale_or_format_is_refused(file: Path, tmp_path: Path) -> None:
    done = study("run", file, "--out", tmp_path / "out", "--scale", "huge")
    assert done.exit_code != 0
    assert "scale" in done.stderr
    assert "format" in study("rows", tmp_path, "--format", "xls").stderr
