"""Commands: what they print, what they leave, and one sentence when something is wrong."""

import json
import os
import subprocess
import sys

import pytest

ROOM = {"floor_hue": 0, "wall_hue": 5, "object_hue": 8, "shape": 0}
ROOM = {"floor_hue": 0, "wall_hue": 5, "object_hue": 8, "shape": 0}
HELD = [part for name, value in ROOM.items() for part in ("--hold", f"{name}={value}")]
SMALL = [*HELD, "--size", "16", "--architecture", "linear"]


def gordium(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "gordium", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "160", **environment},
    )


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli") / "run"
    done = gordium("train", "shapes3d", *SMALL, "--steps", 5, "--set", "beta=2", "--out", folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_train_leaves_a_run_that_evaluate_scores(run):
    config = json.loads((run / "config.json").read_text())["declaration"]
    assert config["method"] == {"name": "beta-vae", "beta": 2}
    assert config["settings"]["latent_dim"] == 2
    done = gordium("evaluate", run)
    assert done.returncode == 0, done.stderr
    assert "mig" in done.stdout
    assert json.loads((run / "scores.json").read_text())["n_images"] == 120


@pytest.mark.parametrize(
    "command", [(), ("demo",), ("datasets",), ("train",), ("evaluate",), ("manipulate",)]
)
def test_every_command_has_help(command):
    done = gordium(*command, "--help")
    assert done.returncode == 0
    assert "Usage" in done.stdout


def test_datasets_are_listed_and_shown(tmp_path):
    done = gordium("datasets")
    assert "shapes3d" in done.stdout
    assert "737,280" in done.stdout
    done = gordium("datasets", "show", "shapes3d", "--size", 16, "--out", tmp_path / "a.png")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


BAD = {
    "unknown data set": (["train", "shape3d", "--out", "x"], "Did you mean shapes3d"),
    "unknown method": (["train", "shapes3d", "--method", "bvae", "--out", "x"], "Did you mean"),
    "unknown hyperparameter": (
        ["train", "shapes3d", "--set", "beat=3", "--out", "x"],
        "Did you mean beta",
    ),
    "negative steps": (["train", "shapes3d", *SMALL, "--steps", "-3", "--out", "x"], "got -3"),
    "unknown factor": (["train", "shapes3d", "--hold", "scal=1", "--out", "x"], "mean scale"),
    "factor out of range": (["train", "shapes3d", "--hold", "scale=9", "--out", "x"], "0 to 7"),
    "bad size": (["train", "shapes3d", "--size", "4", "--out", "x"], "16"),
    "no run": (["evaluate", "nowhere"], "nowhere is not a run"),
    "unknown metric": (["evaluate", "RUN", "--metrics", "migg"], "Did you mean mig"),
    "another run": (["train", "shapes3d", *SMALL, "--steps", "5", "--out", "RUN"], "another run"),
    "unknown scale": (["demo", "--scale", "lapdog"], "Did you mean laptop"),
    "too many pairs": (
        ["manipulate", "shapes3d", *SMALL, "--steps", "2", "--search-seeds", "2", "--out", "x"],
        "4 disentangled and 4 entangled runs need",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_clear_sentence(case, run, tmp_path, monkeypatch):
    arguments, text = BAD[case]
    monkeypatch.chdir(tmp_path)
    done = gordium(*(str(run) if argument == "RUN" else argument for argument in arguments))
    assert done.returncode == 1
    assert text in done.stderr
    assert "Traceback" not in done.stderr


def test_a_truncated_official_file_is_one_clear_sentence(tmp_path):
    (tmp_path / "3dshapes.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(100))
    done = gordium("train", "shapes3d", "--out", tmp_path / "run", GORDIUM_DATA=str(tmp_path))
    assert done.returncode == 1
    assert "3dshapes.h5" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "run").exists()


def test_wrong_usage_has_its_own_exit_code():
    done = gordium("train", "shapes3d", "--set", "beta", "--out", "x")
    assert done.returncode == 2
    assert "name=number" in done.stderr
