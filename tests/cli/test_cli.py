"""Commands: what they print, what they leave, and one sentence when something is wrong."""

import json
import re

import numpy as np
import pytest

from gordium.methods import METHODS
from gordium.networks import ARCHITECTURES


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


def test_the_help_of_train_names_every_method_and_network_and_every_default(gordium):
    shown = gordium("train", "--help", COLUMNS="240").stdout
    missing = [name for name in METHODS if not re.search(rf"\b{name}[,. ]", shown)]
    assert not missing, f"add {missing} to the help of METHOD in src/gordium/cli/options.py."
    missing = [name for name in ARCHITECTURES if not re.search(rf"\b{name}[,. ]", shown)]
    assert not missing, f"add {missing} to the help of ARCHITECTURE in src/gordium/cli/options.py."
    assert "Training steps (default: 20000, unless --epochs)" in shown


def test_datasets_are_listed_and_shown(gordium, tmp_path):
    done = gordium("datasets")
    assert "shapes3d" in done.stdout
    assert "737,280" in done.stdout
    done = gordium("datasets", "show", "shapes3d", "--size", 16, "--out", tmp_path / "a.png")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_a_data_set_whose_file_is_not_here_is_listed_with_what_it_needs(gordium):
    done = gordium("datasets", "list", COLUMNS="240")
    assert done.returncode == 0, done.stderr
    line = next(line for line in done.stdout.splitlines() if "mpi3d-real " in line)
    assert "1,036,800" in line
    assert "12.74 GB" in line  # 1,036,800 x 3 x 64 x 64 bytes
    assert "not here: needs mpi3d_real.npz" in line
    done = gordium("train", "mpi3d-real", "--out", "nowhere")
    assert done.returncode == 1
    assert "there is no mpi3d_real.npz in $GORDIUM_DATA" in done.stderr


def test_data_of_ones_own_is_checked_trained_on_and_scored(gordium, tmp_path):
    images = np.random.default_rng(0).integers(256, size=(120, 16, 16), dtype=np.uint8)
    factors = np.stack(np.unravel_index(np.arange(120), (8, 15)), axis=1)
    path = tmp_path / "mine.npz"
    np.savez(path, images=images, factors=factors, names=np.array(["scale", "angle"]))
    done = gordium("datasets", "check", path)
    assert done.returncode == 0, done.stderr
    assert "mine.npz can be used: 120 images (1, 16, 16) of bytes" in done.stdout
    assert "factor angle: 15 values, ordered" in done.stdout
    assert "every combination of values has one image" in done.stdout
    options = ("--architecture", "linear", "--steps", 3, "--out", tmp_path / "run")
    done = gordium("train", path, *options)
    assert done.returncode == 0, done.stderr
    done = gordium("evaluate", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    np.savez(path, images=255 - images, factors=factors)
    done = gordium("evaluate", tmp_path / "run")
    assert done.returncode == 1
    assert "is not what it was" in done.stderr


def test_data_that_cannot_be_used_is_told_why(gordium, tmp_path):
    np.savez(tmp_path / "a.npz", images=np.zeros((9, 1, 2, 5, 5)), factors=np.zeros(9, int))
    done = gordium("datasets", "check", tmp_path / "a.npz")
    assert (done.returncode, done.stdout) == (1, "")
    assert "images must be (n, h, w), (n, c, h, w) or (n, h, w, c)" in done.stderr
    done = gordium("datasets", "check", tmp_path)
    assert done.returncode == 1
    assert "there is no table" in done.stderr
    done = gordium("datasets", "check", tmp_path / "b.npz")
    assert done.returncode == 1
    assert "there is no file" in done.stderr


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
