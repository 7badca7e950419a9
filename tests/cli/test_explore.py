"""`gordium explore`: a file, and a word when it cannot be made."""

import pytest
from typer.testing import CliRunner

import gordium as gd
from gordium.cli.main import app
from gordium.networks import Linear


@pytest.fixture(scope="module")
def folder(room, tmp_path_factory):
    place = tmp_path_factory.mktemp("runs") / "a"
    settings = {"steps": 1, "latent_dim": 2, "architecture": Linear(), "device": "cpu"}
    gd.train(gd.methods.VAE(), room, folder=place, report=lambda *_: None, **settings)
    return place


def test_the_page_lies_in_the_run_unless_told(folder, tmp_path):
    done = CliRunner().invoke(app, ["explore", str(folder), "--points", "5"])
    assert done.exit_code == 0, done.output
    assert (folder / "explore.html").read_text().startswith("<!doctype html>")
    out = tmp_path / "two.html"
    command = ["explore", str(folder), str(folder), "--points", "5", "--out", str(out)]
    assert CliRunner().invoke(app, command).exit_code == 0
    assert out.is_file()


def test_what_is_no_page_or_no_run_is_refused(folder, tmp_path):
    done = CliRunner().invoke(app, ["explore", str(folder), "--out", "page.txt"])
    assert done.exit_code == 2
    done = CliRunner().invoke(app, ["explore", str(tmp_path / "absent")])
    assert done.exit_code == 1
    assert "is not a run" in done.output.replace("\n", " ")
