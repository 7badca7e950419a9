"""Wrong input: one clear sentence, an exit code, no traceback, and nothing written or lost.

These run inside the test's process, through the whole command line; `test_cli` sees a few of
them from outside.
"""

import shlex

import pytest
from typer.testing import CliRunner

from gordium.cli.main import app

FAILED, WRONG_USAGE = 1, 2
# Options that a case adds come later and win.
SEEDS = "--search-seeds 2 --fresh-seeds 1 --disentangled 1 --entangled 1"
SEARCH = f"{SEEDS} --manipulation-steps 2 --manipulation-batch 4"
TRAIN = "train SMALL --steps 3 --out new"
MANIPULATE = f"manipulate SMALL --steps 3 {SEARCH} --out new"
HELD = "--hold floor_hue=0 --hold wall_hue=5 --hold object_hue=8 --hold shape=0"
AUDIT = f"audit shapes3d {HELD} --size 16 --out new"

CASES = {
    # names
    "train shape3d --out new": (FAILED, "Did you mean shapes3d"),
    f"{TRAIN} --method bvae": (FAILED, "Did you mean vae or beta-vae"),
    f"{TRAIN} --set beat=3": (FAILED, "Did you mean beta"),
    f"{TRAIN} --method vae --set beta=3": (FAILED, "unknown hyperparameter of vae 'beta'"),
    f"{TRAIN} --hold scal=1": (FAILED, "Did you mean scale"),
    f"{TRAIN} --optimiser adm": (FAILED, "Did you mean adam"),
    f"{TRAIN} --architecture cnn": (FAILED, "Known: convolutional, mlp, linear"),
    f"{TRAIN} --likelihood gauss": (FAILED, "Did you mean gaussian"),
    f"{TRAIN} --device gpu": (FAILED, "unknown device 'gpu'; use auto, cpu"),
    "audit dsprite": (FAILED, "Did you mean dsprites"),
    f"{AUDIT} --hold orientation=3": (FAILED, "an audit compares factors; this data set has only"),
    f"{AUDIT} --radius 0": (WRONG_USAGE, "--radius must be a number above 0"),
    f"{AUDIT} --radius 1 --run RUN": (WRONG_USAGE, "both say how far to look"),
    f"{AUDIT} --points 1": (WRONG_USAGE, "--points"),
    f"{AUDIT} --seed -1": (WRONG_USAGE, "--seed"),
    f"{AUDIT} --noise 2": (FAILED, "must lie in 0 to 1; got 2"),
    f"{AUDIT} --manipulation RUN": (FAILED, "holds a run, not a manipulation"),
    f"{AUDIT} --run nowhere": (FAILED, "is not a run"),
    f"{AUDIT} --size 17 --run RUN": (FAILED, "was trained on images of shape (3, 16, 16)"),
    "audit synthetic-linear --radius 1 --out new": (FAILED, "there is no grid"),
    "audit synthetic-linear --run RUN --out new": (FAILED, "synthetic-linear is not a grid"),
    "demo --scale lapdog": (FAILED, "Did you mean laptop"),
    "evaluate RUN --metrics migg": (FAILED, "Did you mean mig"),
    f"{MANIPULATE} --search-set beat=3": (FAILED, "Did you mean beta"),
    # numbers
    f"{TRAIN} --steps -3": (FAILED, "steps must be at least 1; got -3"),
    f"{TRAIN} --steps 1.5": (WRONG_USAGE, "--steps"),
    f"{TRAIN} --epochs 2": (FAILED, "either steps or epochs, and not both"),
    f"{TRAIN} --size 15": (FAILED, "from 16 to 128; got 15"),
    f"{TRAIN} --size 129": (FAILED, "from 16 to 128; got 129"),
    "train synthetic-linear --size 32 --out new": (WRONG_USAGE, "has one size only"),
    f"{TRAIN} --batch-size 0": (FAILED, "batch_size must be at least 1; got 0"),
    f"{TRAIN} --latent-dim 0": (FAILED, "latent_dim must be at least 1; got 0"),
    f"{TRAIN} --seed -1": (WRONG_USAGE, "--seed"),
    f"{TRAIN} --learning-rate nan": (WRONG_USAGE, "--learning-rate must be a number above 0"),
    f"{TRAIN} --learning-rate inf": (WRONG_USAGE, "--learning-rate must be a number above 0"),
    f"{TRAIN} --noise 2": (FAILED, "the largest change of a pixel, must lie in 0 to 1; got 2"),
    f"{TRAIN} --noise nan": (FAILED, "must lie in 0 to 1; got nan"),
    f"{TRAIN} --set beta=-1": (FAILED, "beta must be a number of at least 0; got -1"),
    f"{TRAIN} --architecture convolutional --width inf": (FAILED, "width must be a number"),
    f"{TRAIN} --width 0.5": (WRONG_USAGE, "--width is for convolutional networks only"),
    f"{TRAIN} --threads 0": (WRONG_USAGE, "--threads"),
    "demo --scale smoke --repetitions 2": (FAILED, "protocol, --scale smoke, has no repetitions"),
    "demo --repetition 1 --repetitions 2": (FAILED, "--repetition, for one, or --repetitions"),
    "demo --scale smoke --workers 0 --out new": (WRONG_USAGE, "--workers"),
    f"{MANIPULATE} --workers 0": (WRONG_USAGE, "--workers"),
    f"{MANIPULATE} --epsilon 0": (FAILED, "epsilon must lie in (0, 1]"),
    f"{MANIPULATE} --epsilon 2": (FAILED, "epsilon must lie in (0, 1]"),
    f"{MANIPULATE} --entangled 0": (WRONG_USAGE, "--entangled"),
    f"{MANIPULATE} --disentangled 2": (FAILED, "2 disentangled and 1 entangled runs need"),
    f"{MANIPULATE} --manipulation-rate nan": (WRONG_USAGE, "--manipulation-rate must be"),
    f"{MANIPULATE} --decoder-rate 0": (WRONG_USAGE, "--decoder-rate must be"),
    f"{MANIPULATE} --neuron-weight 0": (WRONG_USAGE, "--neuron-weight must be"),
    f"{MANIPULATE} --latent-dim 1": (FAILED, "latent_dim must be at least 2"),
    # name=number
    f"{TRAIN} --set beta": (WRONG_USAGE, "--set takes name=number, not 'beta'"),
    f"{TRAIN} --set =3": (WRONG_USAGE, "--set takes name=number, not '=3'"),
    f"{TRAIN} --hold scale=9": (FAILED, "scale must be held at 0 to 7; got 9"),
    f"{TRAIN} --hold scale=1.5": (FAILED, "--hold takes a whole number or a label; got scale=1.5"),
    f"{TRAIN} --hold scale=big": (WRONG_USAGE, "the values of scale have no labels"),
    f"{TRAIN} --hold scale=1 --hold scale=2": (WRONG_USAGE, "--hold scale is given twice"),
    f"{TRAIN} --hold scale=1 --hold orientation=2": (FAILED, "leave a factor free"),
    f"{MANIPULATE} --set beta": (WRONG_USAGE, "--set takes name=number"),
    f"{MANIPULATE} --search-set beta": (WRONG_USAGE, "--search-set takes name=number"),
    # files and folders
    "evaluate nowhere": (FAILED, "nowhere is not a run"),
    "evaluate thesis/thesis.tex": (FAILED, "is not an .npz file"),
    "explain nowhere": (FAILED, "nowhere is not a run: it has no config.json"),
    "explain thesis": (FAILED, "thesis is not a run"),
    "explain RUN --points 0": (WRONG_USAGE, "--points"),
    "explain RUN --out page.txt": (WRONG_USAGE, "--out takes the name of an .html file"),
    "explain RUN --points 3 --out thesis/thesis.tex/page.html": (FAILED, "could not write"),
    f"{TRAIN} --out RUN": (FAILED, "holds another run, which differs in"),
    f"{TRAIN} --out thesis": (FAILED, "thesis holds other files and no run"),
    f"{TRAIN} --out thesis/thesis.tex": (FAILED, "thesis.tex is a file; give a folder"),
    f"{TRAIN} --out thesis/thesis.tex/run": (FAILED, "could not write"),
    f"{TRAIN} --manipulation nowhere": (FAILED, "nowhere is not a manipulation"),
    f"{TRAIN} --manipulation RUN": (FAILED, "holds a run, not a manipulation"),
    f"{MANIPULATE} --out RUN": (FAILED, "holds other files and no study; choose a new folder"),
    f"{MANIPULATE} --out thesis": (FAILED, "thesis holds other files and no study"),
    "demo --scale smoke --out RUN": (FAILED, "holds other files and no study; choose a new folder"),
    "datasets show shapes3d --size 16 --out thesis": (FAILED, "could not write thesis"),
}


@pytest.mark.parametrize("command", CASES)
def test_it_is_one_clear_sentence(command, finished_run, small, tmp_path, monkeypatch):
    code, sentence = CASES[command]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "thesis.tex").write_text("dear")
    before = {file: file.read_bytes() for file in finished_run.iterdir()}
    command = command.replace("SMALL", " ".join(small)).replace("RUN", str(finished_run))
    done = CliRunner().invoke(app, shlex.split(command), env={"COLUMNS": "200"})
    assert (done.exit_code, type(done.exception)) == (code, SystemExit)
    assert sentence in done.output
    assert [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")] == [
        "thesis",
        "thesis/thesis.tex",
    ]
    assert {file: file.read_bytes() for file in finished_run.iterdir()} == before


def test_a_lack_of_memory_is_a_sentence_too(small, tmp_path, monkeypatch):
    def lack(*_):
        raise MemoryError("Unable to allocate 3 TiB")

    monkeypatch.setattr("gordium.training.runs.training_steps", lack)
    command = ["train", *small, "--steps", "1", "--out"]
    done = CliRunner().invoke(app, [*command, str(tmp_path / "run")])
    assert (done.exit_code, type(done.exception)) == (FAILED, SystemExit)
    assert "error: Unable to allocate" in done.output


def test_a_batch_may_be_larger_than_the_data_set(small, tmp_path):
    # Steps draw images one by one; an epoch ends with whatever is left, here with 120 images.
    for length in ("--steps", "--epochs"):
        command = ["train", *small, "--batch-size", "500", length, "2", "--out"]
        done = CliRunner().invoke(app, [*command, str(tmp_path / length)])
        assert done.exit_code == 0, done.output
        assert "'step': 2" in done.output


def test_an_error_comes_with_its_traceback_when_asked(tmp_path):
    done = CliRunner().invoke(app, ["evaluate", str(tmp_path)], env={"GORDIUM_DEBUG": "1"})
    assert isinstance(done.exception, FileNotFoundError)
