"""Commands: what they print, what they leave, and one sentence when something is wrong."""

import json

import pytest


def test_train_leaves_a_run_that_evaluate_scores(gordium, finished_run):
    config = json.loads((finished_run / "config.json").read_text())["declaration"]
    assert config["method"] == {"name": "beta-vae", "beta": 2}
    assert config["settings"]["latent_dim"] == 2
    done = gordium("evaluate", finished_run)
    assert done.returncode == 0, done.stderr
    assert "mig" in done.stdout
    assert json.loads((finished_run / "scores.json").read_text())["n_images"] == 120


@pytest.mark.parametrize(
    "command",
    [
        (),
        ("demo",),
        ("datasets",),
        ("train",),
        ("evaluate",),
        ("explain",),
        ("manipulate",),
        ("audit",),
    ],
)
def test_every_command_has_help(gordium, command):
    done = gordium(*command, "--help")
    assert done.returncode == 0
    assert "Usage" in done.stdout


def test_datasets_are_listed_and_shown(gordium, tmp_path):
    done = gordium("datasets")
    assert "shapes3d" in done.stdout
    assert "737,280" in done.stdout
    done = gordium("datasets", "show", "shapes3d", "--size", 16, "--out", tmp_path / "a.png")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_a_truncated_official_file_is_one_clear_sentence(gordium, tmp_path):
    (tmp_path / "3dshapes.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(100))
    done = gordium("train", "shapes3d", "--out", tmp_path / "run", GORDIUM_DATA=str(tmp_path))
    assert done.returncode == 1
    assert "3dshapes.h5" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "run").exists()


def test_wrong_usage_has_its_own_exit_code(gordium):
    done = gordium("train", "shapes3d", "--set", "beta", "--out", "x")
    assert done.returncode == 2
    assert "name=number" in done.stderr
