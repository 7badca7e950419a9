"""`gordium manipulate` from end to end, and runs on the data sets that come of it."""

import csv
import json
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest
from typer.testing import CliRunner

import gordium as gd
from gordium.cli import manipulate
from gordium.cli.main import app
from gordium.datasets import Modified
from gordium.exhibits import headline

EPSILON = 0.175
# Nearly no KL term, so that no unit is pruned; enough steps for the variances to be small.
QUICK = ["--set", "beta=0.001", "--learning-rate", "1e-3", "--steps", "60", "--batch-size", "16"]
GAME = ["--manipulation-steps", "3", "--manipulation-batch", "4", "--manipulation-rate", "0.03"]
SEEDS = [
    "--search-seeds",
    "2",
    "--disentangled",
    "1",
    "--entangled",
    "1",
    "--fresh-seeds",
    "1",
    "--workers",
    "1",
]


@pytest.fixture(scope="module")
def command(small, tmp_path_factory):
    out = str(tmp_path_factory.mktemp("manipulate") / "out")
    return ["manipulate", *small, *QUICK, *GAME, *SEEDS, "--epsilon", str(EPSILON), "--out", out]


@pytest.fixture(scope="module")
def folder(gordium, command):
    done = gordium(*command)
    assert done.returncode == 0, done.stderr
    assert "modified" in done.stdout
    return Path(command[-1])


def test_every_variant_has_its_row_and_the_report_its_command(folder):
    with (folder / "rows.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["metric"] == "mig"]
    # Seeds 0 and 1 were searched, so the fresh one is 2.
    assert [(row["variant"], row["seed"]) for row in rows] == [
        ("original", "2"),
        ("modified", "2"),
        ("noise", "2"),
    ]
    assert "gordium manipulate shapes3d" in (folder / "report.html").read_text()


def test_figure_4_is_a_picture_with_something_on_it(folder):
    pixels = matplotlib.image.imread(folder / "figure4.png")[..., :3]
    assert min(pixels.shape[:2]) >= 100
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 50


def test_the_manipulation_loads_and_applies_to_the_whole_data_set(folder, room):
    found = gd.load_manipulation(folder / "manipulation")
    every = np.arange(len(room))
    before, after = (data.images(every).astype(int) for data in (room, Modified(room, found)))
    assert after.shape == (120, 3, 16, 16)
    # Each image is changed, by epsilon at most and the half of a grey level that rounding adds.
    largest = np.abs(after - before).max(axis=(1, 2, 3))
    assert largest.min() > 0
    assert largest.max() <= 255 * EPSILON + 0.5


def test_run_again_it_shows_the_table_and_trains_nothing(command, folder):
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert "modified" in done.output
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


@pytest.mark.parametrize("variant", ["noisy", "modified"])
def test_a_variant_is_trained_on_and_evaluated(gordium, small, folder, tmp_path, variant):
    change = {
        "noisy": ["--noise", EPSILON],
        "modified": ["--manipulation", folder / "manipulation"],
    }[variant]
    done = gordium("train", *small, *QUICK, "--seed", 2, *change, "--out", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    assert gordium("evaluate", tmp_path / "run").returncode == 0
    scores = json.loads((tmp_path / "run" / "scores.json").read_text())
    assert scores["declaration"]["dataset"]["variant"] == variant
    # The experiment trained the same run: it has the same name, the same weights, the same score.
    twin = folder / "runs" / scores["run"]
    model = "model.safetensors"
    assert (tmp_path / "run" / model).read_bytes() == (twin / model).read_bytes()
    assert json.loads((twin / "scores.json").read_text())["scores"] == scores["scores"]


@pytest.mark.parametrize(
    ("data", "pairs", "epsilon"), [("dsprites", (1, 1), 0.1), ("shapes3d", (4, 4), 0.175)]
)
def test_defaults_are_those_published_for_the_data_set(monkeypatch, tmp_path, data, pairs, epsilon):
    """Supplement B.1: four pairs of each kind on Shapes3D, in place of single models."""
    declared = []
    monkeypatch.setattr(headline, "run_headline", lambda study, *_, **__: declared.append(study))
    monkeypatch.setattr(manipulate, "show", lambda *_, **__: None)
    some = ["--size", "16", "--steps", "1", "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(app, ["manipulate", data, *some])
    assert done.exit_code == 0, done.output
    [found] = declared[0].data.values()
    assert (found.search.disentangled, found.search.entangled) == pairs
    assert found.epsilon == epsilon


def test_a_manipulation_of_other_factors_is_refused(folder, tmp_path):
    manipulation = str(folder / "manipulation")
    options = ["--size", "16", "--manipulation", manipulation, "--out", str(tmp_path / "run")]
    done = CliRunner().invoke(app, ["train", "shapes3d", *options])
    assert done.exit_code == 1
    assert "Hold the same factors as there" in done.output
    assert not (tmp_path / "run").exists()


def test_real_factors_are_refused_before_any_run_is_trained(tmp_path):
    rng = np.random.default_rng(0)
    images = rng.integers(256, size=(20, 16, 16), dtype=np.uint8)
    np.savez(tmp_path / "real.npz", images=images, factors=rng.uniform(size=(20, 2)))
    wanted = ["manipulate", tmp_path / "real.npz", "--epsilon", 0.1, "--out", tmp_path / "out"]
    done = CliRunner().invoke(app, list(map(str, wanted)))
    assert done.exit_code == 1
    assert "some factors are real numbers" in done.output
    assert not (tmp_path / "out").exists()
