"""What a user registers is known by name: in this process, in studies and when a run is loaded."""

import json
import sys
from dataclasses import dataclass
from importlib.metadata import EntryPoint

import numpy as np
import pytest
from torch import nn
from typer.testing import CliRunner

import gordium as gd
from gordium import plugins
from gordium.cli.main import app
from gordium.datasets import DATASETS
from gordium.methods import METHODS
from gordium.metrics import METRICS, PROPERTIES
from gordium.networks import ARCHITECTURES

FAMILIES = (ARCHITECTURES, METHODS, METRICS, PROPERTIES, DATASETS)

PLUGIN = """
from dataclasses import dataclass
from math import prod
from torch import nn
import gordium as gd
from gordium.methods import Method, weighted_sum
from gordium.methods.terms import reconstruction

@gd.register
@dataclass(frozen=True)
class TinyNet:
    width: int = 4

    def encoder(self, image_shape, n_outputs):
        wide = nn.Linear(prod(image_shape), self.width)
        return nn.Sequential(nn.Flatten(), wide, nn.Tanh(), nn.Linear(self.width, n_outputs))

    def decoder(self, n_inputs, image_shape):
        return nn.Sequential(nn.Linear(n_inputs, prod(image_shape)), nn.Unflatten(1, image_shape))

@gd.register
@dataclass(frozen=True)
class Plain(Method):
    stochastic = False

    def __call__(self, out, context):
        return weighted_sum(reconstruction=(1.0, reconstruction(out)))

@gd.register
def spread(codes, factors):
    return float(codes.std())
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with the plugin tiny.py; afterwards nothing of it is known."""
    (tmp_path / "tiny.py").write_text(PLUGIN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GORDIUM_DEVICES", "")
    before = [dict(family) for family in FAMILIES]
    yield tmp_path
    for family, old in zip(FAMILIES, before, strict=True):
        family.clear()
        family.update(old)
    plugins._loaded.pop("tiny", None)
    sys.modules.pop("tiny", None)


@pytest.fixture
def forget(here):
    """Forgets what was registered so far, as another process would not know it."""
    before = [dict(family) for family in FAMILIES]

    def forget():
        for family, old in zip(FAMILIES, before, strict=True):
            family.clear()
            family.update(old)
        plugins._loaded.pop("tiny", None)
        sys.modules.pop("tiny", None)

    return forget


def invoke(*arguments):
    return CliRunner(env={"COLUMNS": "160"}).invoke(app, list(map(str, arguments)))


def test_a_run_with_a_network_of_the_users_is_loaded_again(here, room, forget):
    plugins.load_plugins(["tiny"])
    run = gd.train("Plain", room, steps=2, architecture="TinyNet", folder=here / "run")
    codes = gd.encode(run, room).codes
    np.testing.assert_array_equal(gd.encode(gd.load_run(here / "run"), room).codes, codes)
    forget()
    with pytest.raises(ValueError, match=r"'TinyNet'.*gordium.register\(...\).*--plugin MODULE"):
        gd.load_run(here / "run")
    plugins.load_plugins(["./tiny.py"])
    np.testing.assert_array_equal(gd.encode(gd.load_run(here / "run"), room).codes, codes)


def test_the_command_line_trains_and_scores_with_a_plugin_that_it_is_given(here, forget, room):
    options = ["--steps", 1, "--device", "cpu", "--out", "run", "--size", 16]
    held = [word for f in ("floor_hue", "wall_hue", "object_hue") for word in ("--hold", f"{f}=0")]
    asked = ["train", "shapes3d", "--method", "Plain", "--architecture", "TinyNet"]
    refused = invoke(*asked, *options, *held)
    assert refused.exit_code == 1
    assert "--plugin MODULE" in refused.stderr
    assert "tiny" not in sys.modules
    done = invoke(*asked, *options, *held, "--plugin", "tiny")
    assert done.exit_code == 0, done.output
    forget()
    scored = invoke("--plugin=tiny", "evaluate", "run", "--metrics", "spread,mig")
    assert scored.exit_code == 0, scored.output
    found = json.loads((here / "run" / "scores.json").read_text())
    assert found["estimators"]["spread"]["function"] == "tiny.spread"
    assert found["scores"]["spread"] > 0


STUDY = """
name = "mine"
metrics = ["spread"]
plugins = ["tiny"]
[settings]
steps = 1
architecture = "TinyNet"
[data.mine]
path = "mine.npz"
hold = { colour = "red" }
[method.Plain]
"""


def test_a_study_needs_the_plugins_that_it_states_and_imports_none_by_itself(here, forget):
    (here / "mine.toml").write_text(STUDY)
    factors = np.stack(np.meshgrid(range(2), range(6)), -1).reshape(-1, 2)
    images = np.random.default_rng(0).integers(256, size=(12, 8, 8), dtype=np.uint8)
    more = {"names": ["colour", "angle"], "labels.colour": ["red", "green"]}
    np.savez(here / "mine.npz", images=images, factors=factors, **more)
    asked = ["study", "run", "mine.toml", "--out", "s", "--devices", "cpu"]
    nowhere = invoke("study", "run", "mine.toml", "--out", "s", "--devices", "cpu,tpu:0")
    assert nowhere.exit_code == 2
    assert "unknown device 'tpu:0'" in nowhere.stderr
    refused = invoke(*asked)
    assert refused.exit_code == 1
    assert "this study needs tiny" in refused.stderr
    assert "give --plugin tiny" in refused.stderr
    assert "tiny" not in sys.modules
    done = invoke(*asked, "--plugin", "tiny")
    assert done.exit_code == 0, done.output
    assert invoke("study", "rows", "s").exit_code == 0
    assert ",spread," in (here / "s" / "rows.csv").read_text()
    [config] = (here / "s" / "runs").glob("*/config.json")
    assert json.loads(config.read_text())["machine"]["device"] == "cpu"


def test_an_installed_package_brings_its_plugin(here, monkeypatch):
    monkeypatch.syspath_prepend(str(here))
    entry = EntryPoint("mine", "tiny", "gordium.plugins")
    monkeypatch.setattr(plugins, "entry_points", lambda group: [entry])
    plugins.load_plugins()
    assert "TinyNet" in ARCHITECTURES
    plugins.check_plugins(["tiny"])


def test_names_of_others_are_not_taken(here):
    @dataclass(frozen=True)
    class Mine(gd.methods.Method):
        pass

    with pytest.raises(ValueError, match="'vae' is the name of another one; give name="):
        gd.register(Mine, name="vae")
    assert gd.register(Mine, name="mine") is Mine
    assert gd.register(Mine, name="mine") is METHODS["mine"]  # again, as in a notebook


class Open:
    def encoder(self, image_shape, n_outputs):
        return nn.Identity()

    decoder = encoder


@pytest.mark.parametrize(
    ("member", "text"),
    [
        (Open, "Open must be a frozen dataclass"),
        (Open(), "Open cannot be registered: give a class"),
        (7, "int cannot be registered"),
        (int, "int cannot be registered"),
        (lambda z, v: 0.0, "takes none of codes, factors"),
    ],
)
def test_what_cannot_be_registered_is_told_why(member, text):
    with pytest.raises(TypeError, match=text):
        gd.register(member)


def test_a_plugin_that_is_not_there_is_named(here):
    done = invoke("evaluate", "run", "--plugin", "nowhere")
    assert done.exit_code == 1
    assert "there is no plugin nowhere: no file nowhere.py here" in done.stderr
