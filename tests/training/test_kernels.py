"""A run says which kernels made it, and does not go on with others unless it is told to."""

import hashlib
import json
import subprocess
import sys

import pytest

import gordium as gd
from gordium.methods import BetaVAE
from gordium.networks import Convolutional, kernels
from gordium.training import Recording
from gordium.training.checkpoint import load_tensors

pytestmark = pytest.mark.skipif(kernels().library is None, reason="no compiler")
SETTINGS = {"latent_dim": 2, "architecture": Convolutional(0.125), "steps": 6, "batch_size": 32}
OFTEN = Recording(checkpoint_seconds=0, report_seconds=0)


def cut(done, total, note):
    if done >= 3:
        raise KeyboardInterrupt


def begun(folder, room):
    with pytest.raises(KeyboardInterrupt):
        gd.train(BetaVAE(), room, folder=folder, recording=OFTEN, report=cut, **SETTINGS)


def machine(folder):
    return json.loads((folder / "config.json").read_text())["machine"]


def test_the_kernels_are_said_and_are_no_part_of_the_runs_name(tmp_path, room, monkeypatch):
    direct = gd.train(BetaVAE(), room, folder=tmp_path / "direct", **SETTINGS)
    monkeypatch.setenv("GORDIUM_KERNELS", "off")
    plain = gd.train(BetaVAE(), room, folder=tmp_path / "plain", **SETTINGS)
    assert machine(tmp_path / "direct")["kernels"].startswith("direct-")
    assert machine(tmp_path / "plain")["kernels"] == "torch"
    assert direct.config["hash"] == plain.config["hash"]
    # The same training but for rounding.
    last, other = direct.history[-1]["loss"], plain.history[-1]["loss"]
    assert last == pytest.approx(other, rel=1e-4)


def test_other_kernels_are_refused_unless_allowed_and_then_noted(tmp_path, room, monkeypatch):
    begun(tmp_path, room)
    name = kernels().name
    monkeypatch.setenv("GORDIUM_KERNELS", "off")
    text = f"trained with the kernels '{name}' up to step 3; here 'torch' are in use"
    with pytest.raises(ValueError, match=text):
        gd.train(BetaVAE(), room, folder=tmp_path, **SETTINGS)
    gd.train(BetaVAE(), room, folder=tmp_path, recording=Recording(any_kernels=True), **SETTINGS)
    assert machine(tmp_path)["kernels"] == f"{name}, from step 3 torch"


def test_a_run_begun_with_pytorchs_kernels_is_told_how_to_go_on(tmp_path, room, monkeypatch):
    monkeypatch.setenv("GORDIUM_KERNELS", "off")
    begun(tmp_path, room)
    assert load_tensors(tmp_path / "checkpoint.safetensors")[1]["kernels"] == "torch"
    monkeypatch.delenv("GORDIUM_KERNELS")
    with pytest.raises(ValueError, match="Set GORDIUM_KERNELS=off to use the first ones"):
        gd.train(BetaVAE(), room, folder=tmp_path, **SETTINGS)
    monkeypatch.setenv("GORDIUM_KERNELS", "any")
    gd.train(BetaVAE(), room, folder=tmp_path, **SETTINGS)
    assert machine(tmp_path)["kernels"] == f"torch, from step 3 {kernels().name}"


CODE = """
import sys
import gordium as gd
from gordium.networks import Convolutional
room = gd.load_dataset("shapes3d", size=16).hold(floor_hue=0, wall_hue=5, object_hue=8, shape=0)
gd.train(gd.methods.BetaVAE(), room, folder=sys.argv[1], latent_dim=2, steps=6, batch_size=32,
         architecture=Convolutional(0.125))
"""


def test_processes_at_once_and_this_one_end_in_the_same_bits(tmp_path, room):
    places = [tmp_path / "a", tmp_path / "b"]
    running = [subprocess.Popen([sys.executable, "-c", CODE, str(place)]) for place in places]
    gd.train(BetaVAE(), room, folder=tmp_path / "here", **SETTINGS)
    assert [process.wait() for process in running] == [0, 0]
    found = {
        hashlib.sha256((place / "model.safetensors").read_bytes()).hexdigest()
        for place in (*places, tmp_path / "here")
    }
    assert len(found) == 1
