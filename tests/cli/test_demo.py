"""`gordium demo` over finished repetitions: nothing is trained, their committed rows are read."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gordium.cli.main import app
from gordium.exhibits.demo import GaveUp, run
from gordium.report.rows import read_rows

RESULTS = Path(__file__).parents[2] / "results"


@pytest.fixture
def demo(monkeypatch):
    """Run `gordium demo` on a folder of results; the searches of some repetitions give up."""

    def invoke(folder, *arguments, giving_up=()):
        def finish(this, _command):
            if this.number in giving_up:
                raise GaveUp(f"of 40 runs none is entangled. Repetition {this.number} has failed.")
            return read_rows(this.folder / "rows.csv")

        monkeypatch.setattr(run, "finish_rows", finish)
        monkeypatch.setattr(
            run, "finish_factors", lambda this: read_rows(this.folder / "factors.csv")
        )
        monkeypatch.setattr(
            run, "finish_others", lambda this: read_rows(this.folder / "methods.csv")
        )
        return CliRunner().invoke(app, ["demo", *arguments, "--out", str(RESULTS / folder)])

    return invoke


def cells(text):
    """The lines of all printed tables, cell by cell."""
    lines = [line for line in text.splitlines() if line.startswith("│")]
    return [[cell.strip() for cell in line.strip("│").split("│")] for line in lines]


def test_a_repetition_that_gives_up_has_failed_and_the_others_go_on(demo):
    done = demo("demo", "--repetitions", "4", giving_up=[1])
    assert done.exit_code == 1
    assert "error: of 40 runs none is entangled. Repetition 1 has failed." in done.stderr
    lines = {line[0]: line[1:] for line in cells(done.stdout)}
    assert lines["1"] == ["failed: its search found nothing", "", "", "", ""]
    assert lines["0"] == ["0.78", "0.12", "0.62", "16 %", "80 %"]
    assert lines["3"] == ["0.80", "0.12", "0.62", "16 %", "78 %"]
    assert "at most half of that on originals in 3 of 4 repetitions, and below" in done.stdout
    assert "1 of 4 repetitions failed (1): the search found nothing" in done.stdout
    assert "n = 3 changes" in done.stdout


def test_json_names_what_failed_beside_the_rows_and_says_what_all_show(demo):
    done = demo("demo", "--repetitions", "3", "--json", giving_up=[0])
    assert done.exit_code == 1
    found = json.loads(done.stdout)
    assert list(found) == ["1", "2", "summary"]
    assert {row["dataset"] for row in found["1"]} == {"shapes3d"}
    summary = found["summary"]
    assert (summary["n"], list(summary["failed"])) == (3, ["0"])
    assert "Repetition 0 has failed" in summary["failed"]["0"]
    assert summary["arms"]["modified"]["mig"]["n"] == 2


def test_all_repetitions_may_fail(demo):
    done = demo("demo", "--repetitions", "2", giving_up=[0, 1])
    assert done.exit_code == 1
    assert "at most half of that on originals in 0 of 2 repetitions" in done.stdout
    assert "2 of 2 repetitions failed (0, 1)" in done.stdout
    summary = json.loads(demo("demo", "--repetitions", "1", "--json", giving_up=[0]).stdout)
    assert summary["summary"]["arms"] == {}


def test_a_single_repetition_that_gives_up_ends_with_its_message(demo):
    done = demo("demo/1", "--repetition", "1", giving_up=[1])
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == "error: of 40 runs none is entangled. Repetition 1 has failed.\n"


def test_ten_repetitions_have_the_means_and_intervals_of_the_committed_page(demo):
    page = (RESULTS.parent / "docs" / "repetitions.md").read_text(encoding="utf-8")
    printed = re.search(r"^\| beta-VAE .*", page, re.M).group().replace("**", "").split("|")
    done = demo("demo", "--repetitions", "10")
    assert done.exit_code == 0
    lines = {line[0]: line[1:] for line in cells(done.stdout)}
    for arm, mean in zip(("original", "modified", "noise"), printed[3:6], strict=True):
        assert lines[arm][:2] == ["10", mean.strip()]
    # Ratios of means; the interval of the first stands in results/zietlow2021-table1/table.md.
    assert lines["original"][2] == ""
    assert lines["modified"][2] == "0.17 [0.12, 0.22]"
    assert lines["noise"][2].startswith("0.77 ")
    assert lines["waves"][0] == "5"
    assert "in 10 of 10 repetitions, and below that on noise in 10." in done.stdout
    assert "failed" not in done.stdout


def test_only_the_repetitions_that_were_asked_for_are_judged(demo):
    done = demo("demo", "--repetitions", "3")
    assert "n = 3 changes" in done.stdout
    assert "n = 10 changes" not in done.stdout


def test_a_rung_is_judged_by_its_own_rule(demo):
    done = demo("demo-dsprites", "--repetitions", "3", "--rung", "dsprites")
    text = "inconclusive (direction): dSprites: MIG is lower on modified than on noisy images"
    assert f"- {text}: -0.196 [-0.407, +0.0145], n = 3 changes" in done.stdout
    assert "no such runs here" not in done.stdout


def test_other_methods_are_judged_with_the_repetitions(demo):
    done = demo("demo", "--repetitions", "3", "--methods")
    assert re.search(r"MIG, factor-vae: -0\.\d+ \[.*n = 3 changes", done.stdout)
