"""`gordium audit`: the number, the table and the page, through the whole command line."""

import json

import pytest
from typer.testing import CliRunner

from gordium.cli.main import app

HELD = ["floor_hue=0", "wall_hue=5", "object_hue=8", "shape=0"]
ROOM = ["shapes3d", "--size", "16", *(part for value in HELD for part in ("--hold", value))]


def audited(*arguments):
    """What `gordium audit` prints, on one line."""
    done = CliRunner(env={"COLUMNS": "160"}).invoke(app, ["audit", *map(str, arguments)])
    assert done.exit_code == 0, done.output
    return " ".join(done.output.split())


def test_an_audit_prints_a_verdict_and_writes_a_page(finished_run, tmp_path):
    printed = audited(*ROOM, "--run", finished_run, "--out", tmp_path)
    assert "scale, orientation" in printed
    assert "Alignment 0." in printed
    assert "The run: its posterior noise" in printed
    found = json.loads((tmp_path / "audit.json").read_text())
    assert 0 <= found["interval"][0] <= found["score"] <= found["interval"][1] <= 1
    # Eight scales and fifteen orientations: what is left inside depends on the run's reach.
    scale, orientation = found["steps"]
    assert found["n_points"] == (8 - 2 * scale) * (15 - 2 * orientation)
    assert found["dataset"]["values"]["floor_hue"] == 0
    assert len(found["pairs"]) == 1
    written = (tmp_path / "audit.html").read_text()
    assert "Audit: shapes3d with floor_hue 0" in written
    assert written.count("data:image/png") == 3
    for name in ("pairs.png", "distances.png", "changes.png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["shapes3d", "synthetic-linear"])
def test_whole_data_sets_and_tables_are_audited(tmp_path, name):
    size = ["--size", 16] if name == "shapes3d" else []
    audited(name, *size, "--points", 20, "--out", tmp_path)
    found = json.loads((tmp_path / "audit.json").read_text())
    assert found["n_points"] == 20
    assert (found["steps"] is None) == (name == "synthetic-linear")


def test_known_noise_is_said(tmp_path):
    assert "the known noise was subtracted" in audited(*ROOM, "--noise", 0.1, "--out", tmp_path)
    assert json.loads((tmp_path / "audit.json").read_text())["noise"] > 0
